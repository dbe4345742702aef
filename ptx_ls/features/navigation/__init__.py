"""Navigation: definitions, references, highlights, calls and links."""
