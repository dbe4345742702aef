"""Reads the data files and the manual's notation, and compiles them into tables."""
