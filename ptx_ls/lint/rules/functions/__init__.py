"""Rules about functions and calls."""
