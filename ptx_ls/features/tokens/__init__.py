"""Semantic tokens: the kind of each word of a document."""
