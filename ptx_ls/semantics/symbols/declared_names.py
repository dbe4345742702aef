"""Groups declarations by name."""

from __future__ import annotations

from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.source.numerals import decimal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.symbols.plain_labels import LabelIndex
    from ptx_ls.semantics.symbols.symbols import Symbol

_DIGITS: Final = "0123456789"
_ONE_BY_ONE: Final = 1 << 62
"""The second part of the order of a symbol that is not one of many labels."""
_Ordered = tuple[tuple[int, int], "Symbol"]
"""A symbol, and what its place in the order of declarations follows from."""


class DeclaredNames:
    """Symbols, indexed by the names that they declare.

    A broken file may have thousands of undeclared names, each looked up in thousands of symbols.
    """

    __slots__ = ("_labels", "_lengths", "_ranges", "_singles")

    def __init__(self, symbols: Iterable[Symbol], labels: LabelIndex | None = None) -> None:
        """`labels`: those that are not among `symbols`."""
        self._labels = labels
        self._singles: dict[str, list[_Ordered]] = {}
        self._ranges: dict[str, list[_Ordered]] = {}
        for number, symbol in enumerate(symbols):
            table = self._ranges if symbol.count else self._singles
            table.setdefault(symbol.name, []).append(((number, _ONE_BY_ONE), symbol))
        self._lengths = sorted({len(name) for name in self._ranges})

    def of(self, name: str) -> list[Symbol]:
        """Returns the symbols with a name and the ranges that include it, in order."""
        return _in_order([*self._singles_named(name), *self._ranges_with(name)])

    def spelled(self, *names: str) -> list[Symbol]:
        """Returns the symbols that are written like this: `%r` finds `%r` and `%r<5>`; in order."""
        return _in_order(
            [
                found
                for name in names
                for found in (*self._singles_named(name), *self._ranges.get(name, ()))
            ]
        )

    def first(self, name: str) -> Symbol | None:
        """Returns the first symbol that declares the name or is written like it."""
        found = [*self.of(name)[:1], *self.spelled(name)[:1]]
        return min(found, key=attrgetter("start"), default=None)

    def _singles_named(self, name: str) -> list[_Ordered]:
        labels = () if self._labels is None else self._labels.of(name)
        return [*self._singles.get(name, ()), *labels]

    def _ranges_with(self, name: str) -> Iterable[_Ordered]:
        shortest = len(name.rstrip(_DIGITS))
        for length in self._lengths:
            if shortest <= length < len(name):
                for number, symbol in self._ranges.get(name[:length], ()):
                    if decimal(name[length:]) < symbol.count:
                        yield number, symbol


def _in_order(found: list[_Ordered]) -> list[Symbol]:
    return [symbol for _, symbol in sorted(found, key=itemgetter(0))]
