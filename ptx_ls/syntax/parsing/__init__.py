"""The grammar of a statement, and what parso makes of it."""
