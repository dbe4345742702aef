"""Reads any text into records, statements and tokens, without failing or losing a character."""
