"""What threads have in common, in words."""
