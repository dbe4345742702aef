"""Loops: what each iteration changes, how often they run, and which tests end them."""
