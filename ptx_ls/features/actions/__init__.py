"""Refactorings that are offered at a cursor or for a selection, each in a module of its own."""
