"""The identity of diagnostics: the function and the statement that each is about."""
