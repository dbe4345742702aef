"""Calls: signatures, arguments and the call graph."""
