"""Expressions, requirements, effects and memory events of the data in words."""
