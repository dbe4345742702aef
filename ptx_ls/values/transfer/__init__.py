"""What instructions do with what is known of their operands."""
