"""Rename, and linked editing."""
