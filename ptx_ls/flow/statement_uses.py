"""Finds the uses of registers in one instruction by their names."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found


def uses_in(flow: FunctionFlow, found: Found, way: int) -> dict[str, int]:
    """Returns the uses of registers in an instruction that have a bit of `way`, by name."""
    uses, (row, column) = flow.uses, found.start
    first = bisect_left(uses.rows, row)
    return {
        flow.name_of(use): use
        for use in range(first, bisect_left(uses.rows, row + 1, first))
        if uses.ways[use] & way and uses.columns.get(use, column) == column
    }
