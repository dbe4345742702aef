"""Measures how time and memory grow with each thing that a file can repeat.

`docs/growth.md` explains the figures and lists those of the last run.
"""

from benchmarks.growth.run import measure

__all__ = ["measure"]
