"""The suppression comments of a function and of a group of functions, as facts."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import braces
from ptx_ls.document.coordinates import NOTHING
from ptx_ls.document.facts import fact
from ptx_ls.lint.suppression.comments import (
    SuppressionComment,
    is_only_comments,
    suppression_comments,
)
from ptx_ls.lint.suppression.forms import SuppressionForm
from ptx_ls.lint.suppression.marks import (
    MARK,
    chunk_is_marked,
    function_is_marked,
    marked_functions,
)
from ptx_ls.semantics.symbols.region_text import RegionText, region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import RunPosition
from ptx_ls.syntax.record import MultiLine
from ptx_ls.syntax.record_lines import run_start, run_stop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.branch import InnerNode
    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.source import Position


class PlacedSuppression(NamedTuple):
    """A comment of a function.

    Attributes:
        comment: the comment; its row is counted from the start of the function.
        last: if it is about a line, the last row that it is about.
        is_for_next: whether it is about the next function, because it is below the body of this one
            or alone on its last lines.
    """

    comment: SuppressionComment
    last: int
    is_for_next: bool


class FunctionSuppressions(NamedTuple):
    """The suppression comments of a function in order.

    `outer`: those that may affect other functions.
    """

    placed: tuple[PlacedSuppression, ...] = ()
    outer: tuple[PlacedSuppression, ...] = ()


_NONE: Final = FunctionSuppressions()


@fact
def suppressions_of(function: Function) -> FunctionSuppressions:
    """Returns the suppression comments in a function."""
    comments = list(_comments(function)) if function_is_marked(function) else []
    if not comments:
        return _NONE
    text, below = region_text(function), dict[int, int]()
    placed = [_placed(each, function, text, below) for each in reversed(comments)][::-1]
    outer = [each for each in placed if _is_outer(each, function)]
    return FunctionSuppressions(tuple(placed), tuple(outer))


def _is_outer(each: PlacedSuppression, function: Function) -> bool:
    if each.comment.form is SuppressionForm.LINE:
        is_at_end = each.comment.row in (0, function.extent.lines)
        return each.is_for_next or is_at_end or each.last == function.extent.lines
    return each.is_for_next or each.comment.form is not SuppressionForm.FUNCTION


def _comments(function: Function) -> Iterator[SuppressionComment]:
    if function.n_leaves == 1:
        yield from _in_chunk(function.leaf(0))
        return
    start = NOTHING
    for chunk in function.leaves():
        for each in _comments_of_chunk(chunk) if chunk_is_marked(chunk) else ():
            yield each.moved(start.lines, 0 if each.row else start.columns)
        start = start.plus(chunk.extent)


@fact
def _comments_of_chunk(chunk: Chunk) -> tuple[SuppressionComment, ...]:
    """Returns the suppression comments in a chunk, in order."""
    return tuple(_in_chunk(chunk))


def _in_chunk(chunk: Chunk) -> Iterator[SuppressionComment]:
    """Yields the comments of a chunk; each run is read by itself, as it is in any other chunk."""
    lines, records = chunk.lines, chunk.records
    stop = 0
    for row, line in enumerate(lines):
        if row >= stop and MARK in line:
            start = run_start(records, row)
            stop = run_stop(records, start)
            yield from (it.moved(start, 0) for it in suppression_comments(lines[start:stop]))


def _placed(
    comment: SuppressionComment, function: Function, text: RegionText, below: dict[int, int]
) -> PlacedSuppression:
    """Returns a comment with its place.

    `below`: the rows of later comments, each with the next row that has more than a comment. This
    comment is added.
    """
    if comment.form is SuppressionForm.FUNCTION:
        return PlacedSuppression(comment, comment.row, _is_below_body(comment, function))
    if comment.form is not SuppressionForm.LINE or not comment.is_alone:
        return PlacedSuppression(comment, comment.row, is_for_next=False)
    row, n_rows = comment.row + 1, len(text.lines)
    while row < n_rows and row not in below and is_only_comments(text.lines[row]):
        row += 1
    row = below[comment.row] = below.get(row, row)
    if row < n_rows:
        return PlacedSuppression(comment, last_row_of_statement(text, row), is_for_next=False)
    is_for_next = function.extent.columns == 0
    return PlacedSuppression(comment, function.extent.lines, is_for_next)


def _is_below_body(comment: SuppressionComment, function: Function) -> bool:
    """Whether a comment is after the body of a function, so that it is about the next one."""
    close = braces(function).close
    return function.head is None or (close is not None and comment.row > close)


def last_row_of_statement(text: RegionText, row: int) -> int:
    """Returns the last row of the statements that begin on a row; the row if none does."""
    read = text.records[row]
    if not isinstance(read, MultiLine):
        return row
    first = run_start(text.records, row)
    wanted = RunPosition((row - first, 0)), RunPosition((row - first + 1, 0))
    start, stop = (bisect_left(read.pieces, each, key=attrgetter("start")) for each in wanted)
    return first + read.pieces[stop - 1].end[0] if start < stop else row


@fact
def suppressions_of_group(
    group: InnerNode[Function, Position],
) -> tuple[tuple[int, FunctionSuppressions], ...]:
    """Returns the suppression comments in a group of functions, keyed by function number."""
    found = [(number, suppressions_of(group.leaf(number))) for number in marked_functions(group)]
    return tuple([(number, each) for number, each in found if each.placed])


def suppression_at(document: Document, position: Position) -> SuppressionComment | None:
    """Returns the comment at a position, with its line and columns in the document; else None."""
    position = document.clamped(position)
    line = document.lines[position.line]
    if MARK not in line:
        return None
    located = document.located_on(position.line)
    for comment, _, _ in suppressions_of(located.function).placed:
        columns = 0 if comment.row else located.start.column
        found = comment.moved(located.first_line, columns)
        is_near = found.row == position.line and found.start <= position.column
        if is_near and not line[found.end : position.column].strip():  # blanks belong to it
            return found
    return None
