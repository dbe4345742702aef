"""Reads text: tokens, statements, records. Never fails, never loses a character."""
