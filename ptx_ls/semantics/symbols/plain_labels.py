"""The labels of long functions, which are declared for many chunks at a time.

A long function may have tens of thousands of labels, and a new line moves all labels below it. So
only the names of the labels are kept with each chunk, and the symbol of a label is made when it is
asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import on_row
from ptx_ls.document.facts import fact
from ptx_ls.semantics.symbols.declaring_rows import declaring_rows
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.labels import NAMED_DIRECTIVES
from ptx_ls.syntax.record import DIRECTIVE
from ptx_ls.syntax.statements import BLANKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.chunk_rows import PlacedChunk

_BEFORE_NAME: Final = " "


def label_on(line: str) -> tuple[str, int]:
    """Returns the name of the label on a line without comments, and its column."""
    rest = line.lstrip(BLANKS)
    return rest.partition(":")[0].rstrip(BLANKS), len(line) - len(rest)


@fact
def plain_labels(chunk: Chunk) -> str | None:
    """Returns the names of a chunk's labels in order, each after a space.

    Returns None if the chunk declares anything else, or if a line with a label has a comment.
    """
    rows = declaring_rows(chunk)
    if rows.others or DIRECTIVE in chunk.distinct:
        return None
    lines = chunk.lines_on_demand
    labelled = [lines[row] for row in rows.all]
    if any("/" in line for line in labelled):
        return None
    return "".join([_BEFORE_NAME + label_on(line)[0] for line in labelled])


class LabelRun(NamedTuple):
    """Labels of neighbouring chunks, in one scope.

    `number`: that of the first label. `n_before`: the number of symbols that are listed one by one
    and precede them.
    """

    names: tuple[str, ...]
    number: int
    n_before: int

    @property
    def numbers(self) -> range:
        """The numbers of the labels."""
        return range(self.number, self.number + len(self.names))


class LabelPlaces:
    """The plain labels of a function in order, numbered from 0, and their places."""

    __slots__ = ("_firsts", "_made", "_names", "_parts")

    def __init__(self, parts: Sequence[PlacedChunk]) -> None:
        names = [plain_labels(chunk) for _, chunk in parts]
        for number, (_, chunk) in enumerate(parts):
            if names[number] is None and any(name in chunk.text for name in NAMED_DIRECTIVES):
                _leave_out_last(names, number)
        self._parts, self._names = parts, names
        counts = [text.count(_BEFORE_NAME) if text else 0 for text in names]
        self._firsts = [*accumulate(counts, initial=0)]
        self._made: dict[int, Symbol] = {}

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LabelPlaces)
            and self._names == other._names
            and all(map(_are_alike, self._parts, other._parts))
        )

    __hash__ = None  # type: ignore[assignment]  # symbols are added to it

    def is_plain(self, part: int) -> bool:
        """Whether the part with a number declares only plain labels, or nothing."""
        return self._names[part] is not None

    def number_of_first(self, part: int) -> int:
        """Returns the number of the first label in a part or after it."""
        return self._firsts[part]

    def text(self, parts: range) -> str:
        """Returns the names in some parts in order, each after a space."""
        return "".join([self._names[part] or "" for part in parts])

    def symbol(self, name: str, number: int) -> Symbol:
        """Returns the label with a number, which is always the same object; `name`: its name."""
        found = self._made.get(number)
        if found is None:
            part = bisect_right(self._firsts, number) - 1
            first, chunk = self._parts[part]
            row = declaring_rows(chunk).all[number - self._firsts[part]]
            _, column = label_on(chunk.lines[row])
            start, end = on_row(first + row, column, column + len(name))
            made = Symbol(name, SymbolKind.LABEL, start, end)
            found = self._made.setdefault(number, made)  # another thread may have made it
        return found

    def from_last(self, run: LabelRun) -> Iterator[Symbol]:
        """Yields the labels of a run, the last one first."""
        return map(self.symbol, reversed(run.names), reversed(run.numbers))


class LabelIndex:
    """The plain labels of a function by name, also those that a register has replaced."""

    __slots__ = ("_again", "_numbers", "_places", "_runs")

    def __init__(self, runs: Sequence[LabelRun], places: LabelPlaces) -> None:
        self._runs, self._places = runs, places
        self._numbers: dict[str, int] = {}
        self._again: dict[str, list[int]] = {}
        for run in runs:
            added = dict(zip(run.names, run.numbers, strict=True))
            for name in self._numbers.keys() & added.keys():
                self._again.setdefault(name, []).append(added.pop(name))
            self._numbers.update(added)

    def of(self, name: str) -> list[tuple[tuple[int, int], Symbol]]:
        """Returns the labels with a name, each with its run's `n_before` and its number."""
        first = self._numbers.get(name)
        if first is None:
            return []
        return [
            ((self._n_before(number), number), self._places.symbol(name, number))
            for number in (first, *self._again.get(name, ()))
        ]

    def _n_before(self, number: int) -> int:
        after = bisect_right(self._runs, number, key=attrgetter("number"))
        return self._runs[after - 1].n_before


def _leave_out_last(names: list[str | None], number: int) -> None:
    """Marks the last part before another one that declares something as not plain.

    Its last label may name a directive in the other part.
    """
    for before in range(number - 1, -1, -1):
        if names[before] != "":
            names[before] = None
            return


def _are_alike(one: PlacedChunk, other: PlacedChunk) -> bool:
    """Whether the labels of two parts, which have the same names, are in the same places."""
    return one.first == other.first and (
        one.chunk is other.chunk or _label_places(one.chunk) == _label_places(other.chunk)
    )


def _label_places(chunk: Chunk) -> list[tuple[int, int]]:
    if not plain_labels(chunk):
        return []
    lines = chunk.lines
    return [(row, label_on(lines[row])[1]) for row in declaring_rows(chunk).all]


class ScopeLabels(Mapping[str, Symbol]):
    """The plain labels of a scope by name."""

    __slots__ = ("_numbers", "_places")

    def __init__(self, places: LabelPlaces) -> None:
        self._places = places
        self._numbers: dict[str, int] = {}

    def __getitem__(self, name: str) -> Symbol:
        return self._places.symbol(name, self._numbers[name])

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, names: Sequence[str], number: int, taken: Mapping[str, object]) -> bool:
        """Adds labels, the first of which has a number.

        Returns False, and adds none, if one of the names occurs twice or is among `taken`.
        """
        added = dict(zip(names, range(number, number + len(names)), strict=True))
        known = self._numbers
        is_new = len(added) == len(names) and known.keys().isdisjoint(added.keys())
        if not (is_new and taken.keys().isdisjoint(added.keys())):
            return False
        known.update(added)
        return True

    def remove(self, name: str) -> None:
        """Removes a label, if there is one with that name."""
        self._numbers.pop(name, None)
