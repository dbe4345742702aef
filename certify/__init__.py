"""Compares the ISA database with ptxas: `python -m certify --help`."""
