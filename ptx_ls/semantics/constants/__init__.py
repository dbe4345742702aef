"""Constant expressions: their types, values and errors."""
