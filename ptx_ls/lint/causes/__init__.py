"""Finds problems that follow from other problems, so that only the latter are reported."""
