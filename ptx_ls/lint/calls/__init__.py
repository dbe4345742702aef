"""What the functions of a module do with their parameters, for the checks of their callers."""
