"""Places in the text of a statement or of a run: lines and columns, both from 0.

Columns are code points. Each kind of place has its own type, which only a type checker sees: at run
time it is a pair. `document/coordinates.py` has the places in a function and in a chunk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NewType, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

StatementPosition = NewType("StatementPosition", tuple[int, int])
"""A place between two characters, relative to the start of a statement's text."""
RunPosition = NewType("RunPosition", tuple[int, int])
"""A place between two characters, relative to the start of a run, or of any other line."""
At = TypeVar("At", bound=tuple[int, int])
"""Any type of place; the same one throughout a signature."""

STATEMENT_START: Final = StatementPosition((0, 0))
RUN_START: Final = RunPosition((0, 0))
MAX_EXAMINED: Final = 1_000
"""Maximum number of characters that `before` and `after` return.

A line may hold thousands of statements, and a caller may be interested in each of them.
"""


def before(line: str, column: int) -> str:
    """Returns the text of a line before a column, at most the last `MAX_EXAMINED` characters."""
    return line[max(0, column - MAX_EXAMINED) : column]


def after(line: str, column: int) -> str:
    """Returns the text of a line from a column on, at most the first `MAX_EXAMINED` characters."""
    return line[column : column + MAX_EXAMINED]


def begins_line(line: str, column: int) -> bool:
    """Whether only white space precedes a column, within `MAX_EXAMINED` characters."""
    text = before(line, column)
    return not text or text.isspace()


def place_of(text: str, offset: int) -> StatementPosition:
    """Returns the place of an offset in the text of a statement."""
    before_it = text[:offset]
    if "\r" in before_it:
        before_it = before_it.replace("\r\n", "\n").replace("\r", "\n")
    return StatementPosition((before_it.count("\n"), len(before_it) - before_it.rfind("\n") - 1))


def along(place: At, length: int) -> At:
    """Returns the place `length` characters after another one on the same line."""
    line, column = place
    return (line, column + length)  # type: ignore[return-value]


def shifted(position: StatementPosition | RunPosition, start: At) -> At:
    """Converts a place in a text that begins at `start` to a place of the same type as `start`.

    The result is a plain pair, even if `start` is a `Position`.
    """
    line, column = position
    return (line + start[0], column if line else column + start[1])  # type: ignore[return-value]


def slice_lines(lines: Sequence[str], start: At, end: At) -> str:
    """Returns the text between two places that are relative to the start of `lines`."""
    if start[0] == end[0]:
        return lines[start[0]][start[1] : end[1]]
    middle = "".join(lines[start[0] + 1 : end[0]])
    return lines[start[0]][start[1] :] + middle + lines[end[0]][: end[1]]
