"""Comments that suppress diagnostics: their facts, what they cover, and how to write them."""
