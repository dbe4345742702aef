"""Finds the uses of registers in a statement, and the statements that read certain ones."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from ptx_ls.flow.statement_uses import first_use
from ptx_ls.syntax.record import MultiLine, Record
from ptx_ls.syntax.register_events import GUARDS, READS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found


def uses_at(flow: FunctionFlow, found: Found) -> range:
    """Returns the uses in a statement of a function, in the order of the text."""
    first = first_use(flow, found)
    return range(0) if first < 0 else flow.index.statement(first)


def statements_reading(
    flow: FunctionFlow, records: AbstractSet[Record], is_wanted: Callable[[int], bool]
) -> Iterator[Found]:
    """Yields the statements with some records whose last read of a register is wanted.

    Yields all statements of lines that have several.
    """
    text, rows = flow.text, flow.text.lines_of(records)
    several = {*text.lines_of({each for each in records if isinstance(each, MultiLine)})}
    yield from text.statements(
        row for row in rows if row in several or _reads(flow, row, is_wanted)
    )


def _reads(flow: FunctionFlow, row: int, is_wanted: Callable[[int], bool]) -> bool:
    rows, ways = flow.uses.rows, flow.uses.ways
    use = bisect_right(rows, row) - 1
    while use >= 0 and rows[use] == row:
        if ways[use] & (READS | GUARDS) == READS:
            return is_wanted(use)
        use -= 1
    return False


def first_read(flow: FunctionFlow, row: int) -> int | None:
    """Returns the first use on a line that reads a register, apart from guards."""
    rows, ways = flow.uses.rows, flow.uses.ways
    use = bisect_left(rows, row)
    while use < len(rows) and rows[use] == row:
        if ways[use] & (READS | GUARDS) == READS:
            return use
        use += 1
    return None
