"""Refactorings that are offered at a cursor or for a selection; each is one module."""
