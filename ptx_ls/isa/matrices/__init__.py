"""Matrices of instructions: which lane holds an element, and where it is in shared memory."""
