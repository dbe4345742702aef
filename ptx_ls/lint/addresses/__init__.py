"""The accesses of functions to memory, with the variables that their addresses point into."""
