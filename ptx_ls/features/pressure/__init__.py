"""How many registers are alive at each place of a function."""
