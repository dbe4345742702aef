"""Marks syntax errors that are only in the rest of a statement, after an earlier error."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.problems.instructions import BadSyntax
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.offsets import MAX_EXAMINED, after, slice_lines
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.semantics.symbols.region_text import RegionText

_MAX_LINES_BETWEEN: Final = 20
"""Maximum number of lines between two statements that may be adjacent."""


class _Unreadable(NamedTuple):
    """A statement that cannot be read, with its errors in order."""

    span: FunctionSpan
    errors: list[BadSyntax]


def with_rests(errors: Sequence[BadSyntax], text: RegionText) -> Iterator[BadSyntax]:
    """Yields the syntax errors of a function, each with its statement.

    Marks with `is_rest` those in the rest of a statement, after its first error.
    """
    before: _Unreadable | None = None
    kept: list[BadSyntax] = []
    for each in _statements(errors, text):
        first, *others = [error._replace(statement=each.span) for error in each.errors]
        if before is not None and _is_left_of(before, each, text):
            others.insert(0, first)
            cause = before.errors[0]
            if cause.lacks_semicolon and kept[-1].start == cause.start:
                kept[-1] = _at_rest(kept[-1], text)
        else:
            kept.append(first)
        yield from (other._replace(is_rest=True) for other in others)
        before = each
    yield from _first_of_each(kept, text)


def _statements(errors: Sequence[BadSyntax], text: RegionText) -> list[_Unreadable]:
    """Returns the statements that contain the errors, in order; errors may extend beyond them."""
    faulty = text.lines_of({read for read in text.distinct if read.problems})
    found = [(each.start, each.end) for each in text.statements(faulty)]
    starts = [start for start, _ in found]
    unreadable: list[_Unreadable] = []
    for error in errors:
        search = bisect_right if error.problem.found else bisect_left
        index = search(starts, error.start) - 1
        span = found[index] if index >= 0 else (error.start, error.end)
        if unreadable and unreadable[-1].span[0] == span[0]:
            unreadable[-1].errors.append(error)
        else:
            unreadable.append(_Unreadable(span, [error]))
    return unreadable


def _is_left_of(before: _Unreadable, each: _Unreadable, text: RegionText) -> bool:
    """Whether a statement is only the rest of the previous one."""
    cause, error = before.errors[0], each.errors[0]
    if not are_adjacent(before.span[1], each.span[0], text):
        return False
    if error.begins_nothing and not ends_before(before.span[1], each.span[0], text):
        return True
    if each.span[0][0] != cause.end[0] or not are_adjacent(before.span[1], each.span[0], text, ""):
        return False
    return cause.problem.found == ";" or cause.lacks_semicolon


def ends_before(end: FunctionPosition, start: FunctionPosition, text: RegionText) -> bool:
    """Whether a statement ends with a `;` on a line before another one begins."""
    line, column = end
    has_end = line < len(text.lines) and text.lines[line].endswith(";", 0, column)
    return has_end and start[0] > line


def _at_rest(error: BadSyntax, text: RegionText) -> BadSyntax:
    """Moves the error of a missing `;` to the text that follows, if that is not a statement."""
    line, column = error.start
    token = next(tokenize(after(text.lines[line], column)))
    if not token.string or token.start[0]:
        return error
    problem = error.problem._replace(found=token.string, expected=(",", ";"))
    start, end = token.placed(error.start)
    return error._replace(problem=problem, start=start, end=end, line=text.lines[line])


def _first_of_each(errors: Sequence[BadSyntax], text: RegionText) -> Iterator[BadSyntax]:
    """Marks all but one of several errors that no end of a statement separates."""
    last: BadSyntax | None = None
    since = FunctionPosition((0, 0))
    for error in errors:
        if last is not None and _goes_on(last, error, text, since):
            since = error.start
            if last.problem.found:
                yield error._replace(is_rest=True)
                continue
            yield last._replace(is_rest=True)  # the later error explains more
        elif last is not None:
            yield last
        last, since = error, error.start
    if last is not None:
        yield last


def _goes_on(last: BadSyntax, error: BadSyntax, text: RegionText, since: FunctionPosition) -> bool:
    """Whether no statement ends between two errors of a line; searches from `since`."""
    line, column = error.start
    if line != last.start[0] or line >= len(text.lines) or last.lacks_semicolon:
        return False
    if column - since[1] > MAX_EXAMINED:
        return False
    between = text.lines[line][since[1] : column]
    is_empty = error.problem.found == ";" and not error.problem.expected
    if is_empty and between.count("}") == 1 and between.rstrip().endswith("}"):
        return True  # the `}` of values whose `{` is missing
    return not any(mark in between for mark in ";{}")


def are_adjacent(
    end: FunctionPosition, start: FunctionPosition, text: RegionText, marks: str = "}"
) -> bool:
    """Whether only white space, comments and some punctuation separate an end from a near start."""
    if start <= end:
        return True
    last = len(text.lines) - 1
    if start[0] > last:
        start = FunctionPosition((last, len(text.lines[last])))
    is_far_along = start[0] == end[0] and start[1] - end[1] > MAX_EXAMINED
    if is_far_along or start[0] - end[0] > _MAX_LINES_BETWEEN:
        return False
    between = without_comments(slice_lines(text.lines, end, start))
    return all(each in marks or each.isspace() for each in between)
