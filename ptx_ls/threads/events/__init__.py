"""The memory events of the statements of a function."""
