"""Searches many lines for what only few have, in C where it is built."""
