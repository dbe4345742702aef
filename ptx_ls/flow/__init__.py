"""The control flow and data flow of functions."""
