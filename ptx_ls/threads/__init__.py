"""Facts about threads of a grid: the values and branches that they have in common."""
