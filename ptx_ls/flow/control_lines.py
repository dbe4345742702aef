"""The lines of each chunk that control flow depends on.

Lines without labels, branches and braces matter only if they have instructions, which may separate
two blocks. So all such lines in a row count as one, and an edit of them, or another number of them,
leaves the flow graph as it is, except for places.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.document.facts import combined, fact
from ptx_ls.document.versions import Versions
from ptx_ls.flow.control_statements import (
    ControlStatement,
    control_statement,
    control_statement_on,
    has_instruction,
    is_control,
)
from ptx_ls.flow.row_map import KeptRows
from ptx_ls.semantics.symbols.region_text import RegionText
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import MultiLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function import Function


class ControlLines(NamedTuple):
    """The statements on the control lines of a chunk; their rows count only kept rows.

    `has_instructions`: whether each kept row has an instruction.
    """

    statements: tuple[ControlStatement, ...]
    has_instructions: tuple[bool, ...]


@fact
def kept_rows(chunk: Chunk) -> KeptRows:
    """Returns the rows of a chunk that are kept: control lines, and instructions between them.

    Of all instructions between two control lines, only the first is kept.
    """
    control = [-1, *chunk.rows_where(is_control), chunk.n_lines]
    others = [*chunk.rows_where(has_instruction)]
    rows = []
    for before, after in pairwise(control):
        number = bisect_right(others, before)
        if number < len(others) and others[number] < after:
            rows.append(others[number])
        rows.append(after)
    return KeptRows(tuple(rows[:-1]), chunk.n_lines)


@fact
def control_lines(chunk: Chunk) -> ControlLines:
    """Returns the lines of a chunk that decide the control flow: labels, branches and braces."""
    rows = kept_rows(chunk).rows
    records = chunk.records
    control = [row for row in rows if is_control(records[row])]
    number_of = {row: number for number, row in enumerate(rows)}
    text = RegionText(chunk.lines, records)
    statements: list[ControlStatement] = []
    for is_run, group in groupby(control, lambda row: isinstance(records[row], MultiLine)):
        if is_run:
            statements += _of_runs(text, group, number_of)
        else:
            statements += [
                control_statement_on(text.lines[row], records[row], number_of[row]) for row in group
            ]
    return ControlLines(tuple(statements), tuple([has_instruction(records[row]) for row in rows]))


def _of_runs(
    text: RegionText, rows: Iterable[int], number_of: dict[int, int]
) -> Iterator[ControlStatement]:
    for each in map(control_statement, text.statements(rows)):
        start, end = (_kept(place, number_of) for place in (each.start, each.end))
        yield each._replace(start=start, end=end)


def _kept(place: FunctionPosition, number_of: dict[int, int]) -> FunctionPosition:
    return FunctionPosition((number_of[place[0]], place[1]))


def _lines_of_chunks(function: Function) -> Iterator[ControlLines]:
    return map(control_lines, function.leaves())


@combined(_lines_of_chunks)
def lines_of_chunks(lines: tuple[ControlLines, ...]) -> Versions[ControlLines]:
    """Returns a node with the control lines of each chunk of a function."""
    return Versions(lines)


def _rows_of_chunks(function: Function) -> Iterator[KeptRows]:
    return map(kept_rows, function.leaves())


@combined(_rows_of_chunks)
def rows_of_chunks(rows: tuple[KeptRows, ...]) -> Versions[KeptRows]:
    """Returns the kept rows of a function, stored by chunk."""
    return Versions(rows)
