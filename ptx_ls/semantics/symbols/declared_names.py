"""Groups declarations by name."""

from __future__ import annotations

from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.source.numerals import decimal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.symbols.symbols import Symbol

_DIGITS: Final = "0123456789"


class DeclaredNames:
    """Symbols, indexed by the names that they declare.

    A broken file may have thousands of undeclared names, each looked up in thousands of symbols.
    """

    __slots__ = ("_lengths", "_ranges", "_singles")

    def __init__(self, symbols: Iterable[Symbol]) -> None:
        self._singles: dict[str, list[tuple[int, Symbol]]] = {}
        self._ranges: dict[str, list[tuple[int, Symbol]]] = {}
        for number, symbol in enumerate(symbols):
            table = self._ranges if symbol.count else self._singles
            table.setdefault(symbol.name, []).append((number, symbol))
        self._lengths = sorted({len(name) for name in self._ranges})

    def of(self, name: str) -> list[Symbol]:
        """Returns the symbols with a name and the ranges that include it, in order."""
        ranges = list(self._ranges_with(name))
        single = self._singles.get(name, ())
        return _in_order([*single, *ranges]) if ranges else [symbol for _, symbol in single]

    def spelled(self, *names: str) -> list[Symbol]:
        """Returns the symbols that are written like this: `%r` finds `%r` and `%r<5>`; in order."""
        tables = self._singles, self._ranges
        return _in_order([found for table in tables for n in names for found in table.get(n, ())])

    def first(self, name: str) -> Symbol | None:
        """Returns the first symbol that declares the name or is written like it."""
        found = [*self.of(name)[:1], *self.spelled(name)[:1]]
        return min(found, key=attrgetter("start"), default=None)

    def _ranges_with(self, name: str) -> Iterable[tuple[int, Symbol]]:
        shortest = len(name.rstrip(_DIGITS))
        for length in self._lengths:
            if shortest <= length < len(name):
                for number, symbol in self._ranges.get(name[:length], ()):
                    if decimal(name[length:]) < symbol.count:
                        yield number, symbol


def _in_order(found: list[tuple[int, Symbol]]) -> list[Symbol]:
    return [symbol for _, symbol in sorted(found, key=itemgetter(0))]
