"""Flags with which blocks announce data to other blocks, and the order of both."""
