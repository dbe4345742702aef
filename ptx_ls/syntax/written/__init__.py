"""Reads parts of statements, such as names and calls, from their text without making a tree."""
