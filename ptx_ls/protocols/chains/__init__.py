"""Chains of asynchronous operations, the statements that close their groups, and the waits."""
