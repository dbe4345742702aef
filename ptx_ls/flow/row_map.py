"""Rows of a function without those that control flow does not depend on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final, overload

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_END_OF_ROW: Final = 1 << 62
"""A column after the end of any row."""


class KeptRows(NamedTuple):
    """The rows of a part of a function that are kept, in order, and the number of all its rows."""

    rows: Sequence[int]
    n_rows: int


class RowMap:
    """Converts places of a function to places that count only kept rows, and back."""

    __slots__ = ("_bases", "_firsts", "_rows")

    def __init__(self, parts: Iterable[KeptRows]) -> None:
        parts = tuple(parts)
        self._rows = [part.rows for part in parts]
        self._bases = [*accumulate([part.n_rows for part in parts], initial=0)]
        self._firsts = first_rows(len(part.rows) for part in parts)

    def outwards(self, place: FunctionPosition) -> FunctionPosition:
        """Converts a place that counts only kept rows to a place of the function."""
        row, column = place
        part = bisect_right(self._firsts, row) - 1
        return FunctionPosition(
            (self._bases[part] + self._rows[part][row - self._firsts[part]], column)
        )

    def inwards(self, place: FunctionPosition) -> FunctionPosition:
        """Converts a place of the function; on a row that is not kept, to the end of the last one.

        A place on a row that is not kept is after all places of the kept rows before it.
        """
        row, column = place
        part = max(0, bisect_right(self._bases, row, 0, len(self._rows)) - 1)
        rows, within = self._rows[part], row - self._bases[part]
        number = bisect_right(rows, within) - 1
        is_kept = number >= 0 and rows[number] == within
        kept = self._firsts[part] + number
        return FunctionPosition((kept, column if is_kept else _END_OF_ROW))


class MappedPlaces(Sequence[FunctionPosition]):
    """Places of a function, converted on demand from places that count only kept rows."""

    __slots__ = ("_map", "_places")

    def __init__(self, places: Sequence[FunctionPosition], rows: RowMap) -> None:
        self._places, self._map = places, rows

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, key: int) -> FunctionPosition: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[FunctionPosition]: ...
    def __getitem__(self, key: int | slice) -> FunctionPosition | Sequence[FunctionPosition]:
        if isinstance(key, slice):
            return MappedPlaces(self._places[key], self._map)
        return self._map.outwards(self._places[key])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]  # equal to lists, which have none


def first_rows(lengths: Iterable[int]) -> list[int]:
    """Returns the number of kept rows before each part, from the number of those in each."""
    return [*accumulate(lengths, initial=0)][:-1]
