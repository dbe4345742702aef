"""Relates the uses of registers to the statements and names that they are in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.registers.register_uses import way_of
from ptx_ls.semantics.instructions.accesses import named_accesses
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.record import MultiLine
from ptx_ls.syntax.register_events import BEGINS, READS, WRITES

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.instructions.accesses import NameAccess
    from ptx_ls.semantics.symbols.region_text import Found

_BOTH: Final = READS | WRITES


def uses_in(flow: FunctionFlow, found: Found, way: int) -> dict[str, int]:
    """Returns the uses of registers in an instruction that have a bit of `way`, by name."""
    uses, (row, column) = flow.uses, found.start
    first = bisect_left(uses.rows, row)
    return {
        flow.name_of(use): use
        for use in range(first, bisect_left(uses.rows, row + 1, first))
        if uses.ways[use] & way and uses.columns.get(use, column) == column
    }


def first_use(flow: FunctionFlow, found: Found) -> int:
    """Returns the first use in a statement; -1 if it uses no register."""
    uses, row = flow.uses, found.start[0]
    on_row = range(bisect_left(uses.rows, row), bisect_right(uses.rows, row))
    if on_row and not isinstance(flow.text.records[row], MultiLine):
        return on_row.start
    use = on_row.start + bisect_left(on_row, found.start, key=uses.place)
    if use in on_row and uses.place(use) == found.start:
        return use
    for use in on_row:
        if use in uses.columns:  # their places are exact
            break
        if uses.ways[use] & BEGINS and flow.statement(use).start == found.start:
            return use
    return -1


def name_span(flow: FunctionFlow, use: int) -> tuple[FunctionSpan, NameAccess]:
    """Returns the place of the name of a use in its instruction, and how it is used there.

    Of several places with the same name, it is the first one that is used in the same way.
    """
    found, name, way = flow.statement(use), flow.name_of(use), flow.uses.ways[use]
    for identifier, access in named_accesses(found.record, found.text):
        if access.name == name and way_of(access.access, is_conditional=False) & way & _BOTH:
            start = shifted(identifier.start, found.start)
            return (start, FunctionPosition((start[0], start[1] + len(name)))), access
    raise ValueError(use)
