"""Which barriers of a block a function has; quick tests.

Source: PTX ISA, "bar, barrier".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.region_text import RegionText

BARRIERS: Final = ("bar", "barrier")


def has_arrivals(text: RegionText) -> bool:
    """Whether a function arrives at a barrier of the block without waiting."""
    return any(
        ".arrive" in each.opcode and ".cluster" not in each.opcode
        for each in text.shapes_of(BARRIERS)
    )


def has_counts(text: RegionText) -> bool:
    """Whether a function has barriers for a stated number of threads."""
    return any(
        len(each.operands) > 1 and (".sync" in each.opcode or ".arrive" in each.opcode)
        for each in text.shapes_of(BARRIERS)
    )
