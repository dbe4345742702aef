"""How the braces of a region nest, kept up to date through edits.

No line is looked at here, so an edit costs some nanoseconds for each brace of its function.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class BraceProblem(NamedTuple):
    """A brace without partner: its line and which of the line's (run's) pieces it is."""

    line: int
    piece: int
    is_opening: bool


class _Match(NamedTuple):
    """Numbers of braces: the one that ends the body, and those without partner."""

    end: int | None
    unmatched: tuple[int, ...]


class Nesting:
    """The braces of a region in order, that of its head first; lines count from its start.

    Lines that are typed one below the other cost nothing for the braces behind them: those from
    number `_gap` on stand `_moved` lines further down than `_lines` says.
    """

    __slots__ = ("_gap", "_has_head", "_lines", "_match", "_moved", "_pieces", "_signs")

    def __init__(self, *, has_head: bool) -> None:
        self._has_head = has_head
        self._lines: list[int] = []
        self._pieces: list[int] = []
        self._signs: list[int] = []
        self._gap = self._moved = 0
        self._match: _Match | None = None

    def add(self, line: int, piece: int, sign: int) -> None:
        """Adds a brace behind all others while the region is read: 1 opens, -1 closes."""
        self._lines.append(line)
        self._pieces.append(piece)
        self._signs.append(sign)

    def take(self, other: Nesting, start: int, stop: int, delta: int) -> None:
        """Adds braces of a region by their numbers, at lines that are `delta` more here."""
        other._move_gap(len(other._lines))
        other._moved = 0
        self._lines += [line + delta for line in other._lines[start:stop]]
        self._pieces += other._pieces[start:stop]
        self._signs += other._signs[start:stop]

    def __len__(self) -> int:
        return len(self._lines)

    def n_before(self, line: int) -> int:
        """How many braces stand on the lines before one."""
        lines, gap = self._lines, self._gap
        if gap < len(lines) and lines[gap] + self._moved < line:
            return bisect_left(lines, line - self._moved, gap)
        return bisect_left(lines, line, 0, gap)

    def lines_inserted(self, line: int, delta: int) -> None:
        """`delta` lines were added behind `line`, or removed, and none of them has a brace."""
        self._move_gap(self.n_before(line + 1))
        self._moved += delta

    def _move_gap(self, gap: int) -> None:
        old, moved = self._gap, self._moved
        if moved and gap > old:
            self._lines[old:gap] = [line + moved for line in self._lines[old:gap]]
        elif moved:
            self._lines[gap:old] = [line - moved for line in self._lines[gap:old]]
        self._gap = gap

    def depth(self, line: int) -> int:
        """How many braces are open where a line begins; those without partner do not count."""
        number = self.n_before(line)
        depth = sum(self._signs[:number])
        for unmatched in self._matched().unmatched:
            if unmatched < number and (unmatched or not self._has_head):
                depth -= self._signs[unmatched]
        return depth

    @property
    def end(self) -> int | None:
        """The line of the brace that ends the body; None without one."""
        end = self._matched().end
        return None if end is None else self._line(end)

    def problems(self, start: int) -> list[BraceProblem]:
        """The braces without partner in a region that begins on that line; closing ones first."""
        pieces, signs = self._pieces, self._signs
        found = (
            (start + self._line(number), pieces[number], signs[number] > 0)
            for number in self._matched().unmatched
        )
        return list(map(BraceProblem._make, found))

    @property
    def is_open(self) -> bool:
        """Whether an opening brace has no partner."""
        return any(self._signs[number] > 0 for number in self._matched().unmatched[-1:])

    def _line(self, number: int) -> int:
        return self._lines[number] + (self._moved if number >= self._gap else 0)

    def _matched(self) -> _Match:
        if self._match is None:
            self._match = self._found()
        return self._match

    def _found(self) -> _Match:
        """Finds partners by how many more braces were opened than closed before each."""
        depths = list(accumulate(self._signs, initial=0))
        lowest, last = min(depths), len(depths) - 1
        closing = [at - 1 for at in _positions(depths, range(-1, lowest - 1, -1))]
        levels = range(depths[-1] - 1, lowest - 1, -1)
        opening = [last - at for at in _positions(depths[::-1], levels)]
        opening.reverse()
        has_end = self._has_head and 0 not in opening[:1]
        end = depths.index(0, 1) - 1 if has_end else None
        return _Match(end, (*closing, *opening))


def _positions(sums: Sequence[int], values: Iterable[int]) -> Iterator[int]:
    """Where each value is met first; each is met behind the one before."""
    position = 0
    for value in values:
        position = sums.index(value, position)
        yield position
