"""Lints files: reads, checks and changes each, reports on it, and does so again after changes."""
