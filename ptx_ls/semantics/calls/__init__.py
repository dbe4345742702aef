"""Calls: signatures, arguments, and which function reaches which."""
