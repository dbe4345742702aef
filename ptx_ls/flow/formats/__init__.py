"""What the bits of a register mean: an integer, or a floating-point number of some format."""
