"""Hover: the documentation of what is under the cursor."""
