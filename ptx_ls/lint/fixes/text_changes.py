"""The differences between two versions of a text, as small edits."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from ptx_ls.source import Position, Range, TextEdit
from ptx_ls.source.lines import split_lines
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MAX_COMPARED_LINES: Final = 4000
"""Maximum number of lines that are compared one by one; more are replaced as a whole."""


class LineChange(NamedTuple):
    """The lines [first, stop) become `lines`, which include their line ends."""

    first: int
    stop: int
    lines: list[str]


def text_changes(old: str, new: str) -> list[TextEdit]:
    """Returns the edits that turn `old` into `new`, in order and without overlaps."""
    before, after = split_lines(old), split_lines(new)
    return [_edit(before, after, *span) for span in _spans(before, after)]


def line_changes(old: str, new: str) -> list[LineChange]:
    """Returns the changed lines from `old` to `new`, in order."""
    before, after = split_lines(old), split_lines(new)
    return [LineChange(first, stop, after[a:b]) for first, stop, a, b in _spans(before, after)]


def _spans(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    if len(before) == len(after):
        return _paired(before, after)
    return _matched(before, after)


def _paired(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yields the lines that differ between texts with the same number of lines."""
    for number, (one, other) in enumerate(zip(before, after, strict=True)):
        if one != other:
            yield number, number + 1, number, number + 1


def _matched(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    shorter = min(len(before), len(after))
    head = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    room = shorter - head
    tail = next((i for i in range(room) if before[-1 - i] != after[-1 - i]), room)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(old) > _MAX_COMPARED_LINES or len(new) > _MAX_COMPARED_LINES:
        yield head, len(before) - tail, head, len(after) - tail
        return
    for tag, first, stop, new_first, new_stop in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            yield head + first, head + stop, head + new_first, head + new_stop


def _edit(
    before: Sequence[str],
    after: Sequence[str],
    first: int,
    stop: int,
    new_first: int,
    new_stop: int,
) -> TextEdit:
    """Returns an edit of lines, without their common beginning and end."""
    old, new = "".join(before[first:stop]), "".join(after[new_first:new_stop])
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    room = shorter - head
    tail = next((i for i in range(room) if old[-1 - i] != new[-1 - i]), room)
    if "\r" in old or "\r" in new:
        head = tail = 0  # an edit must not split a line end of two characters
    start = _position(before, first, head)
    end = _position(before, first, len(old) - tail)
    return TextEdit(Range(start, end), new[head : len(new) - tail])


def _position(lines: Sequence[str], line: int, offset: int) -> Position:
    """Returns the position of the character at an offset from the beginning of a line."""
    while line < len(lines) - 1 and offset >= len(lines[line]):
        offset -= len(lines[line])
        line += 1
    return Position(line, offset)
