"""Rules about instructions, their modifiers and operands."""
