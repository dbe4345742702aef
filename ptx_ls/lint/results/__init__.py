"""The diagnostics of functions: their places in the document, and their saved form."""
