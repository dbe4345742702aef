"""Declarations and their initial values: what is wrong with each, and with several of a name."""
