"""Compares PTX by meaning: names of registers and labels, comments and debug data do not count."""
