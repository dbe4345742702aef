"""Text without meaning: positions, ranges, line ends, encodings, addresses, diagnostics."""
