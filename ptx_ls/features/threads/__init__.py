"""Values and branches that threads have in common, in words."""
