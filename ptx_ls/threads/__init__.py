"""What the threads of a grid have in common."""
