"""The forms in which diagnostics are written: a module for each, and `choice.py` to find it."""
