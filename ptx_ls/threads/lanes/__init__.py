"""The memory that the lanes of a warp access together, and what that costs."""
