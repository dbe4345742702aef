"""Measures all figures with goals: `./dev bench all`.

`docs/performance.md` explains the figures and has those of the last run.
"""

from benchmarks.performance.run import measure

__all__ = ["measure"]
