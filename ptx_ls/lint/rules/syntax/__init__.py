"""Rules about text that is not PTX, and about misplaced statements."""
