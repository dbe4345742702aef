"""Finds the uses of registers in a statement, and the statements that read certain ones."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from ptx_ls.flow.statement_uses import first_use
from ptx_ls.syntax.record import MultiLine, Record
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found


def uses_at(flow: FunctionFlow, found: Found) -> range:
    """Returns the uses in a statement of a function, in the order of the text."""
    first = first_use(flow, found)
    return range(0) if first < 0 else flow.index.statement(first)


def statements_reading(
    flow: FunctionFlow,
    records: AbstractSet[Record],
    is_wanted: Callable[[int], bool],
    written_by: AbstractSet[Record] | None = None,
) -> Iterator[Found]:
    """Yields the statements with some records whose last read of a register is wanted.

    Yields all statements of lines that have several. `written_by`: the records of the statements
    that write all wanted registers; if these are few, that saves a look at each line.
    """
    text = flow.text
    several = {*text.lines_of({each for each in records if isinstance(each, MultiLine)})}
    rows: Iterable[int]
    if written_by is None:
        rows = text.lines_of(records)
    else:
        rows = sorted(several.union(_rows_reading(flow, records, _written(flow, written_by))))
    yield from text.statements(
        row for row in rows if row in several or _reads(flow, row, is_wanted)
    )


def _written(flow: FunctionFlow, records: AbstractSet[Record]) -> set[int]:
    """Returns the registers that the statements on lines with some records write."""
    rows, codes, ways = flow.uses.rows, flow.uses.codes, flow.uses.ways
    found, use = set[int](), 0
    for row in flow.text.lines_of(records):
        use = bisect_left(rows, row, use)
        while use < len(rows) and rows[use] == row:
            if ways[use] & WRITES:
                found.add(codes[use])
            use += 1
    return found


def _rows_reading(
    flow: FunctionFlow, records: AbstractSet[Record], codes: Iterable[int]
) -> Iterator[int]:
    """Yields the lines with some records that read a register, in no particular order."""
    rows, ways, of_row = flow.uses.rows, flow.uses.ways, flow.text.records
    for code in codes:
        for use in flow.index.of(code):
            is_read = ways[use] & (READS | GUARDS) == READS
            if is_read and of_row[rows[use]] in records:
                yield rows[use]


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
