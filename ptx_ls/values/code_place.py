"""Places in a function, as numbers of blocks and uses."""

from __future__ import annotations

from typing import Final

from ptx_ls.source.named_tuple import NamedTuple

ENTRY: Final = -1
"""Among definitions, the start of the function, where a register has no value."""


class CodePlace(NamedTuple):
    """A place in a function: the number of its block, and that of the first use after it."""

    block: int
    use: int
