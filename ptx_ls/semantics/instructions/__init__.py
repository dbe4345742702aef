"""Instructions and the types of their operands, checked against the ISA."""
