"""What a linker joins: symbols of several modules that stand for one thing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.features.cursor import declared_at
from ptx_ls.semantics.symbols.symbols import SymbolKind

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.source import Position, Range

_LINKED: Final = frozenset({".visible", ".weak", ".extern", ".common"})
_KINDS: Final = frozenset({SymbolKind.KERNEL, SymbolKind.FUNCTION, SymbolKind.VARIABLE})


class Linkage(NamedTuple):
    """What other modules see of a symbol. `word` is the directive, as in `.visible`."""

    word: str
    is_definition: bool

    @property
    def is_strong(self) -> bool:
        """Whether there can be only one such symbol of its name in a program."""
        return self.is_definition and self.word == ".visible"


def linkage_of(symbol: Symbol) -> Linkage | None:
    """What other modules see of a symbol; None if they cannot see it."""
    if symbol.linkage not in _LINKED or symbol.kind not in _KINDS:
        return None
    return Linkage(symbol.linkage, symbol.is_definition)


def is_joined(one: Linkage, other: Linkage) -> bool:
    """Whether two modules with symbols of one name mean the same thing by them.

    Two definitions belong to two programs, unless one of them gives way.
    """
    return not (one.is_strong and other.is_strong)


def linked_at(analysis: Analysis, position: Position) -> tuple[Range, LocatedSymbol] | None:
    """The name at a position, where it stands for something that other modules see."""
    found = declared_at(analysis, position)
    if found is None or linkage_of(found[1].symbol) is None:
        return None
    return found[0].range, found[1]
