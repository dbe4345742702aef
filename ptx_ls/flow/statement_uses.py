"""Relates the uses of registers to the statements and names that they are in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.registers.register_uses import way_of
from ptx_ls.semantics.instructions.accesses import named_accesses
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.record import InlineAsmLine, MultiLine, Shape
from ptx_ls.syntax.register_events import READS, WRITES
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.syntax.written.simple_operands import simple_operands

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.instructions.accesses import NameAccess
    from ptx_ls.semantics.symbols.region_text import Found

_BOTH: Final = READS | WRITES


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
    first = first_use(flow, found)
    return range(0) if first < 0 else flow.index.statement(first)


def operand_texts(flow: FunctionFlow, use: int) -> list[str]:
    """Returns the operands of the instruction of a use, as they are written."""
    row = flow.uses.rows[use]
    record = flow.text.records[row]
    simple = simple_operands(record, flow.text.lines[row]) if isinstance(record, Shape) else None
    if simple:
        return simple
    found = flow.statement(use)
    if not isinstance(found.record, Shape):
        return []
    return [each.text for each in written_operands(found.record, found.text)]


def first_use(flow: FunctionFlow, found: Found) -> int:
    """Returns the first use in a statement; -1 if it uses no register."""
    uses, row = flow.uses, found.start[0]
    on_row = range(bisect_left(uses.rows, row), bisect_right(uses.rows, row))
    record = flow.text.records[row]
    if on_row and not isinstance(record, MultiLine):
        return on_row.start
    use = on_row.start + bisect_left(on_row, found.start, key=uses.place)
    if use in on_row and uses.place(use) == found.start:
        return use
    if on_row and on_row.start not in uses.columns and isinstance(record, InlineAsmLine):
        line = flow.statements_on(row, record)
        number = bisect_left(line.columns, found.start[1])
        before = line.ends[number - 1] if number else 0
        return on_row.start + before if line.ends[number] > before else -1
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
