"""Computes the diagnostics of documents, and publishes them or answers pull requests."""
