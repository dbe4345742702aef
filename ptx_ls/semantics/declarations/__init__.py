"""Declarations and initial values: errors in a single one, and conflicts between several."""
