"""The functions and variables that only their own module can use, and which functions mention them.

Source: PTX ISA, "Linking Directives".
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from ptx_ls.document.facts import fact
from ptx_ls.semantics.symbols.module_names import exports_of
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.symbols import Symbol

_NOTHING: Final[frozenset[str]] = frozenset()
_SPACES: Final = (".global", ".const", ".shared")


def internal_names(exports: Iterable[Symbol]) -> frozenset[str]:
    """Returns the names of functions and variables that are not for other modules, or for hosts."""
    return frozenset([each.name for each in exports if is_internal(each)])


def is_internal(symbol: Symbol) -> bool:
    """Whether a definition at module scope is only for its own module."""
    is_own = symbol.is_definition and not symbol.linkage
    return is_own and (symbol.kind is SymbolKind.FUNCTION or symbol.space in _SPACES)


@fact
def mentioned(function: Function, names: frozenset[str]) -> frozenset[str]:
    """Returns which names at module scope a function mentions outside of their declarations."""
    text = function.text
    found = [name for name in names if name in text]
    if not found:
        return _NOTHING
    declared = Counter(name for name, _ in exports_of(function).names)
    words = Counter(names_in(without_comments(text)))
    return frozenset([name for name in found if words[name] > declared[name]])
