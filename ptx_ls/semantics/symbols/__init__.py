"""Name resolution: scopes, registers, and the symbols of functions and modules."""
