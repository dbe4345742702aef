"""The structure of a document: symbols, folding and selection ranges."""
