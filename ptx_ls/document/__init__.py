"""A PTX text as an immutable tree of functions and chunks, and the facts derived from it."""
