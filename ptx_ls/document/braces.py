"""Matches the braces of a function. Functions do not nest, so each is treated by itself."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, compress
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.document.facts import fact
from ptx_ls.document.rows import rows_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind, MultiLine, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function import Function


_is_structural: Final = attrgetter("is_structural")


class Brace(NamedTuple):
    """A brace: its row, the index of its statement in the run, and 1 for `{` or -1 for `}`."""

    row: int
    piece: int
    sign: int


class Braces(NamedTuple):
    """The braces of a function in order, beginning with that of its head.

    `unmatched`: the indices of unmatched braces, closing ones first. `close`: the row of the brace
    that ends the body; None if it is missing.
    """

    braces: tuple[Brace, ...]
    unmatched: tuple[int, ...]
    close: int | None
    has_head: bool

    @property
    def problems(self) -> list[Brace]:
        """The unmatched braces: first the closing ones, then the opening ones, each in order."""
        return [self.braces[number] for number in self.unmatched]

    @property
    def is_open(self) -> bool:
        """Whether an opening brace is unmatched, so that the text after it may be inside."""
        return any(self.braces[number].sign > 0 for number in self.unmatched[-1:])

    def level(self, row: int) -> int:
        """Returns the number of open braces at the start of a row.

        Unmatched braces do not count, except the head's.
        """
        number = bisect_left(self.braces, (row,))
        level = sum(brace.sign for brace in self.braces[:number])
        for unmatched in self.unmatched:
            if unmatched < number and (unmatched or not self.has_head):
                level -= self.braces[unmatched].sign
        return level


@fact
def braces(function: Function) -> Braces:
    """Returns the braces of a function."""
    found = tuple(_braces_of(function))
    depths = list(accumulate([brace.sign for brace in found], initial=0))
    lowest, last = min(depths), len(depths) - 1
    closing = [at - 1 for at in _positions(depths, range(-1, lowest - 1, -1))]
    levels = range(depths[-1] - 1, lowest - 1, -1)
    opening = [last - at for at in _positions(depths[::-1], levels)]
    opening.reverse()
    has_head = function.head is not None
    has_end = has_head and 0 not in opening[:1]
    close = found[depths.index(0, 1) - 1].row if has_end else None
    return Braces(found, (*closing, *opening), close, has_head)


@fact
def is_left_open(function: Function) -> bool:
    """Whether a brace of a function is not closed, so that the next function may be inside."""
    return braces(function).is_open


def _braces_of(function: Function) -> Iterator[Brace]:
    if function.n_leaves == 1:
        yield from _braces_of_chunk(function.leaf(0))
        return
    if function.shares_lines:
        records = rows_of(function.leaves()).records
        structural = {read for read in set(records) if read.is_structural}
        is_wanted = map(structural.__contains__, records)
        yield from _braces(compress(enumerate(records), is_wanted))
        return
    first = 0
    for chunk in function.leaves():
        for row, piece, sign in _braces_in(chunk):
            yield Brace(first + row, piece, sign)
        first += chunk.n_lines


@fact
def _braces_in(chunk: Chunk) -> tuple[Brace, ...]:
    """Returns the braces of a chunk, with rows relative to the chunk."""
    return tuple(_braces_of_chunk(chunk))


def _braces_of_chunk(chunk: Chunk) -> Iterator[Brace]:
    return _braces(chunk.records_where(_is_structural))


def _braces(structural: Iterable[tuple[int, Record]]) -> Iterator[Brace]:
    """Yields the braces of structural records, each given with its row."""
    previous: Record | None = None
    for row, read in structural:
        if read is previous and isinstance(read, MultiLine):
            continue
        previous = read
        if isinstance(read, MultiLine):
            for number, part in enumerate(read.records):
                if part.is_structural:
                    yield Brace(row, number, -1 if part.kind is Kind.CLOSE else 1)
        else:
            yield Brace(row, 0, -1 if read.kind is Kind.CLOSE else 1)


def _positions(sums: Sequence[int], values: Iterable[int]) -> Iterator[int]:
    """Yields the index of the first occurrence of each value; the indices increase."""
    position = 0
    for value in values:
        position = sums.index(value, position)
        yield position
