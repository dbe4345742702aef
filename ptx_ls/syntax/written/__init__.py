"""Readers of parts of statements as written, without a tree: names, calls, sizes, numbers."""
