"""Fixes: the edits that mend a problem, and how they are applied to a text."""
