"""Completion: what may be typed at the cursor."""
