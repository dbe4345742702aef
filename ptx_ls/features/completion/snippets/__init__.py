"""Snippets: texts with placeholders for operands, vectors and whole idioms."""
