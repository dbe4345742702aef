"""How time and memory grow with every list that a file can repeat.

`docs/growth.md` says what is counted and what was seen.
"""

from benchmarks.growth.run import measure

__all__ = ["measure"]
