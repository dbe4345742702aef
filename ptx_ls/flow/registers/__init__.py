"""The values of registers along the paths of a function."""
