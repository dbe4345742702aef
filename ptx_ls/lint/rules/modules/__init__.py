"""Rules about versions, targets, the header and debug information."""
