"""References to symbols: their occurrences, names in directives, and names without a definition."""
