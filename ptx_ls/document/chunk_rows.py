"""The lines and the records of many chunks as sequences, made for a chunk on first use."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Generic, TypeVar, overload

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ptx_ls.document.chunk import Chunk

Item = TypeVar("Item")


class PlacedChunk(NamedTuple):
    """A chunk, and the number of rows before it."""

    first: int
    chunk: Chunk


def placed(chunks: Iterable[Chunk]) -> tuple[PlacedChunk, ...]:
    """Returns each chunk with the number of rows before it; no two may share a line."""
    chunks = tuple(chunks)
    firsts = accumulate([chunk.n_lines for chunk in chunks], initial=0)
    return tuple(map(PlacedChunk, firsts, chunks))


class ChunkRows(Sequence[Item], Generic[Item]):
    """One item for each row of chunks that share no line."""

    __slots__ = ("_cut", "_known", "_last", "_parts", "_starts")

    def __init__(
        self, parts: Sequence[PlacedChunk], cut: Callable[[Chunk], Sequence[Item]]
    ) -> None:
        """`cut`: returns the items of a chunk, such as its lines."""
        self._parts, self._cut = parts, cut
        self._known: list[Sequence[Item] | None] = [None] * len(parts)
        self._last: tuple[int, int, Sequence[Item]] = (0, 0, ())
        """The row span of the chunk that was used last, and its items."""
        last = parts[-1]
        self._starts = [*[part.first for part in parts], last.first + last.chunk.n_lines]

    def _of_part(self, number: int) -> Sequence[Item]:
        found = self._known[number]
        if found is None:
            found = self._known[number] = self._cut(self._parts[number].chunk)
        return found

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, key: int) -> Item: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Item]: ...
    def __getitem__(self, key: int | slice) -> Item | Sequence[Item]:
        starts = self._starts
        if not isinstance(key, slice):
            first, stop, items = self._last
            if first <= key < stop:
                return items[key - first]
        else:
            start, stop, step = key.indices(starts[-1])
            if step != 1:
                return [self[row] for row in range(start, stop, step)]
            return self._between(start, stop)
        row = key if key >= 0 else key + starts[-1]
        if not 0 <= row < starts[-1]:
            raise IndexError(key)
        number = bisect_right(starts, row) - 1
        items = self._of_part(number)
        self._last = starts[number], starts[number + 1], items
        return items[row - starts[number]]

    def _between(self, start: int, stop: int) -> list[Item]:
        found: list[Item] = []
        number = bisect_right(self._starts, start) - 1
        while start < stop:
            first, end = self._starts[number : number + 2]
            found += self._of_part(number)[start - first : stop - first]
            start, number = end, number + 1
        return found

    def at(self, rows: Iterable[int]) -> Iterator[Item]:
        """Yields the items of the given rows; fast if these are in order."""
        first, stop, items = self._last
        for row in rows:
            if row >= stop or row < first:
                number = bisect_right(self._starts, row) - 1
                first, stop = self._starts[number : number + 2]
                items = self._of_part(number)
            yield items[row - first]

    def __iter__(self) -> Iterator[Item]:
        for number in range(len(self._parts)):
            yield from self._of_part(number)
