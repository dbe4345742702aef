"""Shared parts of the rules about declarations, and about names that are not declared."""
