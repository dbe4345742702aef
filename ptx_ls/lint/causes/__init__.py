"""Finds the problems that follow from others, which are not reported."""
