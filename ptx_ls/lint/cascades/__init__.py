"""Leaves out problems that only follow from others."""
