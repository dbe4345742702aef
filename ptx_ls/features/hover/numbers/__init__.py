"""Hovers on numbers: the values of literals and expressions, and what they mean."""
