"""The lines of a text as a sequence that has no string for each."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final, Self, overload

if TYPE_CHECKING:
    from collections.abc import Iterable


_LONG: Final = 1_000
"""Minimum length, in characters, of a line that is kept until another long one is asked for."""


class TextLines(Sequence[str]):
    """The lines of a text, which are cut out when they are asked for.

    A long line is the same object as long as no other long one is asked for: thousands of mistakes
    on a line each keep it.

    `starts`: the offset of each line, and of the end of the last one, as 64-bit integers.
    """

    __slots__ = ("_last", "starts", "text")

    def __init__(self, text: str, starts: array[int] | memoryview[int]) -> None:
        self.text, self.starts = text, starts
        self._last = (-1, "")  # the number and the text of a long line

    @classmethod
    def of(cls, lines: Iterable[str]) -> Self:
        """Returns lines given one by one; a line may be without a line end."""
        if isinstance(lines, cls):
            return lines
        lines = list(lines)
        return cls("".join(lines), array("q", accumulate(map(len, lines), initial=0)))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, key: int) -> str: ...
    @overload
    def __getitem__(self, key: slice) -> list[str]: ...
    def __getitem__(self, key: int | slice) -> str | list[str]:
        starts, text = self.starts, self.text
        if not isinstance(key, slice):
            if key < 0 and (key := key + len(starts) - 1) < 0:
                raise IndexError(key)
            first, stop = starts[key], starts[key + 1]
            return text[first:stop] if stop - first < _LONG else self._long_line(key)
        start, stop, step = key.indices(len(starts) - 1)
        if step != 1:
            return [self[row] for row in range(start, stop, step)]
        offsets = starts[start : stop + 1]
        return [text[first:last] for first, last in pairwise(offsets)]

    def _long_line(self, row: int) -> str:
        last = self._last
        if last[0] != row:
            self._last = last = row, self.text[self.starts[row] : self.starts[row + 1]]
        return last[1]

    @classmethod
    def part_of(cls, lines: Sequence[str], first: int, stop: int) -> Self:
        """Returns the lines [first, stop) of some lines, without a copy of their text if it can."""
        if isinstance(lines, cls):
            return cls(lines.text, lines.starts[first : stop + 1])
        return cls.of(lines[first:stop])

    def joined(self, first: int, stop: int) -> str:
        """Returns the text of the lines [first, stop)."""
        return self.text[self.starts[first] : self.starts[stop]]
