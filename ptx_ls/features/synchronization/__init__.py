"""How the statements of a function synchronise: for hovers, highlights, texts and pictures."""
