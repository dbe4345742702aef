"""Finds the uses of registers in one instruction by their names."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found


def uses_in(flow: FunctionFlow, found: Found, way: int) -> dict[str, int]:
    """Returns the uses of registers in an instruction that have a bit of `way`, by name."""
    ways = flow.uses.ways
    return {flow.name_of(use): use for use in _uses(flow, found) if ways[use] & way}


def _uses(flow: FunctionFlow, found: Found) -> range:
    """Returns all uses in an instruction."""
    rows, row = flow.uses.rows, found.start[0]
    if isinstance(flow.text.records[row], Shape):  # the only instruction on its line
        first = bisect_left(rows, row)
        return range(first, bisect_left(rows, row + 1, first))
    first = flow.first_use(found)
    return range(0) if first < 0 else flow.index.statement(first)
