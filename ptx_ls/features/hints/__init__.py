"""Inlay hints and code lenses."""
