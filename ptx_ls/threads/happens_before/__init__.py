"""Which accesses of different threads touch the same bytes, and what orders them."""
