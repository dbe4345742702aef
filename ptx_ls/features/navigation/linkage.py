"""Linkage: symbols that a linker joins across modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.cursor import declared_at
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.source import Position, Range

_LINKED: Final = frozenset({".visible", ".weak", ".extern", ".common"})
_KINDS: Final = frozenset({SymbolKind.KERNEL, SymbolKind.FUNCTION, SymbolKind.VARIABLE})


class Linkage(NamedTuple):
    """The linkage of a symbol. `word` is the directive, such as `.visible`."""

    word: str
    is_definition: bool

    @property
    def is_strong(self) -> bool:
        """Whether it is strong: a program can have only one strong symbol with the same name."""
        return self.is_definition and self.word == ".visible"


def linkage_of(symbol: Symbol) -> Linkage | None:
    """Returns the linkage of a symbol; None if other modules cannot see it."""
    if symbol.linkage not in _LINKED or symbol.kind not in _KINDS:
        return None
    return Linkage(symbol.linkage, symbol.is_definition)


def is_joined(one: Linkage, other: Linkage) -> bool:
    """Whether a linker may join two symbols with the same name in two modules.

    Two strong definitions belong to different programs.
    """
    return not (one.is_strong and other.is_strong)


def linked_at(analysis: Analysis, position: Position) -> tuple[Range, LocatedSymbol] | None:
    """Returns the name at a position and its symbol, if other modules can see the symbol."""
    found = declared_at(analysis, position)
    if found is None or linkage_of(found[1].symbol) is None:
        return None
    return found[0].range, found[1]
