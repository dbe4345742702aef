"""Decides whether an instruction is legal, and finds what is wrong with it."""
