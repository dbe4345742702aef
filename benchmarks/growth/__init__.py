"""How time and memory grow with every list that a file can repeat.

`docs/growth.md` explains the figures and has those of some series.
"""

from benchmarks.growth.run import measure

__all__ = ["measure"]
