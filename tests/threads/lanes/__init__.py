"""Lanes of a warp: their banks and sectors."""
