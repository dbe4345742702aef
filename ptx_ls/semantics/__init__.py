"""What a PTX module means: symbols, scopes, types, and where it disagrees with the ISA."""
