"""The differences between two versions of a text, as small edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source import Position, Range, TextEdit
from ptx_ls.source.lines import split_lines
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.sequences import SequencePart, equal_pairs, gaps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class LineChange(NamedTuple):
    """The lines [first, stop) become `lines`, which include their line ends."""

    first: int
    stop: int
    lines: list[str]


def text_changes(old: str, new: str) -> list[TextEdit]:
    """Returns the edits that turn `old` into `new`, in order and without overlaps."""
    before, after = split_lines(old), split_lines(new)
    parts = (line for part in _parts(before, after) for line in _lines_of(part))
    return [_edit(before, after, *part) for part in parts]


def line_changes(old: str, new: str) -> list[LineChange]:
    """Returns the changed lines from `old` to `new`, in order."""
    before, after = split_lines(old), split_lines(new)
    return [LineChange(first, stop, after[a:b]) for first, stop, a, b in _parts(before, after)]


def _parts(before: Sequence[str], after: Sequence[str]) -> Iterator[SequencePart]:
    """Yields the parts of two texts that differ, in order."""
    numbers: dict[str, int] = {}
    old, new = ([numbers.setdefault(it, len(numbers)) for it in lines] for lines in (before, after))
    whole = SequencePart(0, len(old), 0, len(new))
    return gaps(equal_pairs(old, new, whole), whole)


def _lines_of(part: SequencePart) -> Iterator[SequencePart]:
    """Yields the lines of a part one by one, if it has as many in both texts."""
    first, stop, new_first, new_stop = part
    if stop - first != new_stop - new_first:
        yield part
        return
    for offset in range(stop - first):
        old, new = first + offset, new_first + offset
        yield SequencePart(old, old + 1, new, new + 1)


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
