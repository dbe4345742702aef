"""Uses of parameters by the functions of a module, for the checks of their callers."""
