"""Renaming and linked editing."""
