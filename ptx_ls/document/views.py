"""The lines, records and functions of a document as sequences, whose items are made on demand."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeVar, overload

from ptx_ls.document.coordinates import NOTHING
from ptx_ls.document.located import LocatedFunction
from ptx_ls.source import Position
from ptx_ls.syntax.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.function_tree import FunctionTree
    from ptx_ls.document.rows import Rows

Item = TypeVar("Item")
_LINES_OF_PORTION: Final = 1024
"""Number of lines to make at a time in an iteration."""


class _LineView(Sequence[Item], Generic[Item]):
    """One item for each line of a document."""

    __slots__ = ("_tree",)

    def __init__(self, tree: FunctionTree) -> None:
        self._tree = tree

    @abstractmethod
    def _items(self, rows: Rows) -> list[Item]:
        """Returns the items of the given rows."""

    def __len__(self) -> int:
        return self._tree.n_lines

    @overload
    def __getitem__(self, key: int) -> Item: ...
    @overload
    def __getitem__(self, key: slice) -> list[Item]: ...
    def __getitem__(self, key: int | slice) -> Item | list[Item]:
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step != 1:
                return [self[number] for number in range(start, stop, step)]
            return self._between(start, stop)
        number = key if key >= 0 else key + len(self)
        if not 0 <= number < len(self):
            raise IndexError(key)
        around = self._tree.lines_around(number)
        return self._items(around.rows)[number - around.first]

    def _between(self, start: int, stop: int) -> list[Item]:
        if start >= stop:
            return []
        around = self._tree.lines_around(start)
        if stop > around.stop:
            around = self._tree.lines_between(start, stop)
        return self._items(around.rows)[start - around.first : stop - around.first]

    def __iter__(self) -> Iterator[Item]:
        for start in range(0, len(self), _LINES_OF_PORTION):
            yield from self._between(start, min(start + _LINES_OF_PORTION, len(self)))


class Lines(_LineView[str]):
    """The lines of a document, each with its line end; the last one has none, and may be empty."""

    __slots__ = ()

    def _items(self, rows: Rows) -> list[str]:
        return rows.lines


class Records(_LineView[Record]):
    """The record of each line of a document."""

    __slots__ = ()

    def _items(self, rows: Rows) -> list[Record]:
        return rows.records


class Functions(Sequence[LocatedFunction]):
    """The functions of a document in order, each with its place."""

    __slots__ = ("_tree",)

    def __init__(self, tree: FunctionTree) -> None:
        self._tree = tree

    def __len__(self) -> int:
        return self._tree.n_leaves

    @overload
    def __getitem__(self, key: int) -> LocatedFunction: ...
    @overload
    def __getitem__(self, key: slice) -> list[LocatedFunction]: ...
    def __getitem__(self, key: int | slice) -> LocatedFunction | list[LocatedFunction]:
        if isinstance(key, slice):
            return [self[number] for number in range(*key.indices(len(self)))]
        tree, number = self._tree, key if key >= 0 else key + len(self)
        if not 0 <= number < tree.n_leaves:
            raise IndexError(key)
        function, start = tree.leaf_and_start(number)
        is_last = number + 1 == tree.n_leaves
        stop = tree.n_lines if is_last else start.lines + function.extent.lines
        return LocatedFunction(number, function, Position(*start), stop)

    def __iter__(self) -> Iterator[LocatedFunction]:
        start, last = NOTHING, self._tree.n_leaves - 1
        for number, function in enumerate(self._tree.leaves()):
            after = start.plus(function.extent)
            stop = self._tree.n_lines if number == last else after.lines
            yield LocatedFunction(number, function, Position(*start), stop)
            start = after
