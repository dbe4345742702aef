"""Ranking: which opcodes and names are the likeliest at the cursor."""
