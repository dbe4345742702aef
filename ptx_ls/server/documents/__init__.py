"""Open documents, and the conversions between LSP's types and ours."""
