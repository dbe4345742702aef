"""Places in a text: (line, column) pairs, both from 0, columns in code points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

Place = tuple[int, int]
"""A line and a column; what they count from is the text at hand: a statement, run or region."""

NEAR: Final = 1_000
"""Characters around a place that are looked at; `before` and `after` return no more.

A line may hold thousands of statements: whoever asks at each of them must not read the whole line.
"""


def before(line: str, column: int) -> str:
    """The text of a line before a column, its last `NEAR` characters if there are more."""
    return line[max(0, column - NEAR) : column]


def after(line: str, column: int) -> str:
    """The text of a line from a column on, its first `NEAR` characters if there are more."""
    return line[column : column + NEAR]


def begins_line(line: str, column: int) -> bool:
    """Whether only white space precedes a column, as far as `before` looks."""
    text = before(line, column)
    return not text or text.isspace()


def shifted(position: tuple[int, int], start: tuple[int, int]) -> tuple[int, int]:
    """A position inside a text that stands at `start`, as seen from where `start` counts."""
    line, column = position
    return (line + start[0], column + start[1]) if line == 0 else (line + start[0], column)


def slice_lines(lines: Sequence[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Text between two (line, column) positions."""
    if start[0] == end[0]:
        return lines[start[0]][start[1] : end[1]]
    middle = "".join(lines[start[0] + 1 : end[0]])
    return lines[start[0]][start[1] :] + middle + lines[end[0]][: end[1]]
