"""Quick tests of whether a function may have anything that a rule reports."""
