"""Constant expressions: their type and value, and what is wrong with them."""
