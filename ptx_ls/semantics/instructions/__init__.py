"""Instructions with the types of their operands, judged by the ISA."""
