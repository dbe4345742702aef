"""The pages of chapters of the manual; most pictures in them are computed from formulas."""
