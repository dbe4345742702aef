"""How well ptx-ls agrees with ptxas: `python -m benchmarks accuracy [OPTION...]`.

Accepted files must draw no error, files with one small fault must draw one at the right place.
`docs/accuracy.md` says what is counted.
"""

from benchmarks.accuracy.run import measure

__all__ = ["measure"]
