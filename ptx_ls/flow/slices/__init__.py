"""Looks back and ahead from single values, cheaply enough for rules that run everywhere."""
