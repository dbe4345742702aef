"""Checks of instructions that need more than the form of each: parameters, addresses, limits."""
