"""Declarations and their initial values: errors in one, and conflicts between several."""
