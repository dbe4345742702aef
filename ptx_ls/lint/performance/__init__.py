"""Shared parts of the rules about performance."""
