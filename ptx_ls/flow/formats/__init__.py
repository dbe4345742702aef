"""Formats of the bits in registers: integers, and floating-point numbers of some format."""
