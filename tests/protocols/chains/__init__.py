"""Chains of statements, tested by random walks and by examples."""
