"""Finds the uses of registers in one instruction by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found


def uses_in(flow: FunctionFlow, found: Found, way: int) -> dict[str, int]:
    """Returns the uses of registers in an instruction that have a bit of `way`, by name."""
    first, ways = flow.first_use(found), flow.uses.ways
    if first < 0:
        return {}
    return {flow.name_of(use): use for use in flow.index.statement(first) if ways[use] & way}
