"""Signature help: the operands or parameters that a statement takes."""
