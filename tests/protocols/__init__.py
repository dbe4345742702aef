"""Tests of what the threads of a grid have in common."""
