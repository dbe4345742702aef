"""Names and what they stand for: scopes, registers, symbols of a function and of the module."""
