"""Outlines of values: what their parts are multiples of, and where the parts come from."""
