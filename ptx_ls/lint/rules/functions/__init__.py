"""Rules about functions, calls and what they need of a program."""
