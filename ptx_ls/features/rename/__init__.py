"""Renaming, and linked editing."""
