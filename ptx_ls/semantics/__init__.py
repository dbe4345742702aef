"""The meaning of a PTX module: symbols, scopes, types, and where it violates the ISA."""
