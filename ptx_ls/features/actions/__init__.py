"""Changes of a module that are offered where they make sense; each is one module."""
