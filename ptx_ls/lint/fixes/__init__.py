"""Fixes: the edits that solve a problem, and how they are applied to a text."""
