"""How well ptx-ls agrees with ptxas: `python -m benchmarks accuracy [OPTION...]`.

A file that ptxas accepts must have no error, one with a small fault one error at the right place.
`docs/accuracy.md` explains what is counted.
"""

from benchmarks.accuracy.run import measure

__all__ = ["measure"]
