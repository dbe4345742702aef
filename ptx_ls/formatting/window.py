"""Finds which lines must be formatted together, and how deep in braces they are."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import braces
from ptx_ls.formatting.engine import BracePlace, LayoutInput
from ptx_ls.syntax.offsets import RunPosition
from ptx_ls.syntax.record import Kind, MultiLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.source import LineSpan
    from ptx_ls.syntax.record import Piece

_MAX_ALIGNED_LINES: Final = 500
"""Maximum number of lines of aligned comments or guards that are examined on either side."""


def source_of(document: Document) -> LayoutInput:
    """Returns the input for the whole document, with lists of its lines and records."""
    unmatched = _unmatched(document, document.functions)
    return LayoutInput(document.lines[:], document.records[:], unmatched)


def source_around(document: Document, first: int, stop: int) -> LayoutInput:
    """Returns the input for lines [first, stop) alone; examines only their functions."""
    around = unmatched_around(document, (first, stop))
    unmatched = frozenset((line - first, number) for line, number in around)
    return LayoutInput(document.lines[first:stop], document.records[first:stop], unmatched)


def unmatched_around(document: Document, span: LineSpan) -> frozenset[BracePlace]:
    """Returns the unmatched braces in the functions of lines [first, stop)."""
    first = _function_before(document, span[0]).number
    last = document.located_on(span[1] - 1).number
    return _unmatched(document, document.functions[first : last + 1])


def _unmatched(document: Document, functions: Iterable[LocatedFunction]) -> frozenset[BracePlace]:
    """Returns the unmatched braces in the given functions."""
    return frozenset(place for located in functions for place in _problems(document, located))


def _problems(document: Document, located: LocatedFunction) -> Iterator[BracePlace]:
    """Yields the unmatched braces in one function, which may share its first line."""
    for brace in braces(located.function).problems:
        line, number = located.first_line + brace.row, brace.piece
        if not brace.row and located.start.column:
            run, read = document.run_at(line), document.records[line]
            if isinstance(read, MultiLine):
                start = RunPosition((line - run.start, located.start.column))
                number += bisect_left(read.pieces, start, key=_start_of)
            line = run.start
        yield line, number


def _start_of(piece: Piece) -> RunPosition:
    return piece.start


def widened(document: Document, first: int, stop: int) -> LineSpan:
    """Returns the whole units of lines [first, stop), and those that affect their layout.

    Long runs next to them are omitted; they only affect whether a blank line remains.
    """
    lines = document.lines
    stop = document.run_at(max(stop - 1, first)).stop
    first = _back(document, document.run_at(first).start)
    lowest, highest = first - _MAX_ALIGNED_LINES, stop + _MAX_ALIGNED_LINES
    while first > max(0, lowest) and _is_aligned(lines[first]):
        before = _back(document, first)
        if before == first:
            break
        first = before
    while stop < min(len(lines), highest) and (
        document.records[stop].kind is Kind.BLANK or _is_aligned(lines[stop])
    ):
        after = _forward(document, stop)
        if after == stop:
            break
        stop = after
    return first, _forward(document, stop)


def _back(document: Document, line: int) -> int:
    """Returns the start of the last non-blank unit before a line; after a long run, that line."""
    at = line
    while at > 0:
        at = document.run_at(at - 1).start
        if line - at > _MAX_ALIGNED_LINES:
            return line
        if document.records[at].kind is not Kind.BLANK:
            break
    return at


def _forward(document: Document, line: int) -> int:
    """Returns the line after the unit that begins on a line; at a long run, the line itself."""
    if line >= document.n_lines:
        return line
    stop = document.run_at(line).stop
    return line if stop - line > _MAX_ALIGNED_LINES else stop


def _is_aligned(line: str) -> bool:
    """Whether a part of a line may be aligned with its neighbours."""
    return "//" in line or "/*" in line or "@" in line


def level_at(document: Document, line: int) -> int:
    """Returns how many braces are open where a unit begins."""
    return _function_before(document, line).level(line)


def _function_before(document: Document, line: int) -> LocatedFunction:
    """Returns the function that the text before a line belongs to."""
    return document.located_on(max(0, line - 1)) if line else document.functions[0]
