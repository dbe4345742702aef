"""Rules about declarations and their values."""
