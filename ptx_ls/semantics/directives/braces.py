"""Finds unmatched braces.

Source: PTX ISA, "Kernel and Function Directives"; functions do not nest.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.directives.unreadable_statements import are_adjacent
from ptx_ls.semantics.problems.instructions import LooseBrace
from ptx_ls.syntax.offsets import along, shifted
from ptx_ls.syntax.record import Kind, MultiLine
from ptx_ls.syntax.record_lines import run_start
from ptx_ls.syntax.statements import BLANKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.document.braces import Brace
    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.semantics.symbols.region_text import RegionText


MAX_OPENED: Final = 100
"""Maximum number of unclosed braces to report, outermost first."""


def check_braces(
    text: RegionText, loose: Sequence[Brace], *, ends_file: bool
) -> Iterator[LooseBrace]:
    """Yields each group of adjacent braces that close nothing, and all unclosed braces as one."""
    closing = (_place(text, brace) for brace in loose if brace.sign < 0)
    for start, end in _side_by_side(closing, text):
        yield LooseBrace(is_opening=False, start=start, end=end)
    opening = (_place(text, brace) for brace in loose if brace.sign > 0)
    opened = tuple(islice(opening, MAX_OPENED))
    if opened:
        stop = text.end
        in_statement = ends_file and _ends_in_statement(text)
        yield LooseBrace(True, stop, stop, opened, ends_file, in_statement)


def _ends_in_statement(text: RegionText) -> bool:
    """Whether the last statement of the text is incomplete."""
    last = next((n for n in range(len(text.records) - 1, -1, -1) if _is_filled(text, n)), None)
    if last is None or not text.records[last].problems:
        return False
    problem = text.records[last].problems[-1]
    start = FunctionPosition((run_start(text.records, last), 0))
    return not problem.found and are_adjacent(shifted(problem.end, start), text.end, text, "")


def _is_filled(text: RegionText, index: int) -> bool:
    return text.records[index].kind not in (Kind.BLANK, Kind.COMMENT)


def _side_by_side(places: Iterable[FunctionSpan], text: RegionText) -> Iterator[FunctionSpan]:
    """Yields the places, with adjacent ones on a line joined."""
    before: FunctionSpan | None = None
    for start, end in places:
        if before is not None:
            line, column = before[1]
            if line == start[0] and not text.lines[line][column : start[1]].strip(BLANKS):
                before = before[0], end
                continue
            yield before
        before = start, end
    if before is not None:
        yield before


def _place(text: RegionText, brace: Brace) -> FunctionSpan:
    read = text.records[brace.row]
    if isinstance(read, MultiLine):
        end = shifted(read.pieces[brace.piece].end, FunctionPosition((brace.row, 0)))
    else:
        sign = "{" if brace.sign > 0 else "}"
        end = FunctionPosition((brace.row, text.lines[brace.row].index(sign) + 1))
    return along(end, -1), end
