"""The meaning of names: scopes, registers, symbols of a function and of the module."""
