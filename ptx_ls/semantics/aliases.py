"""Aliases that name the wrong things.

Source: PTX ISA, "Kernel and Function Directives: .alias".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.mismatch import BadValue, ValueFault
from ptx_ls.semantics.symbols import Symbol, SymbolKind
from ptx_ls.syntax.places import shifted
from ptx_ls.syntax.tokens import REG, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.module import ModuleFacts
    from ptx_ls.semantics.region import Directive, RegionFacts

_ALIAS: Final = ".alias"
_WEAK: Final = ".weak"


def check_aliases(facts: RegionFacts, module: ModuleFacts, region: int) -> Iterator[BadValue]:
    """Aliases of a region whose names are no function to alias, or cannot be an alias."""
    given: set[str] = set()
    for directive in facts.directives:
        if directive.name == _ALIAS:
            yield from _check(directive, module, region, given)


def _check(
    directive: Directive, module: ModuleFacts, region: int, given: set[str]
) -> Iterator[BadValue]:
    names = [token for token in tokenize(directive.text) if token.type in (WORD, REG)]
    if len(names) != len(("alias", "function")):
        return
    alias = module.lookup(names[0].string, region, directive.start)
    function = module.lookup(names[1].string, region, directive.start)
    if alias is None or function is None:
        return
    fault = None
    place = names[0]
    if alias.is_definition or alias.kind is not SymbolKind.FUNCTION or alias.name in given:
        fault = ValueFault.ALIAS
    elif function.kind is not SymbolKind.FUNCTION or function.linkage == _WEAK:
        fault, place = ValueFault.ALIASED, names[1]
    elif not _is_alike(alias, function):
        fault, place = ValueFault.ALIAS_PARAMETERS, names[1]
    given.add(alias.name)
    if fault is not None:
        line, column = place.start_pos
        start = shifted((line - 1, column), directive.start)
        end = start[0], start[1] + len(place.string)
        yield BadValue(_ALIAS, place.string, fault, start, end)


def _is_alike(one: Symbol, other: Symbol) -> bool:
    """Whether two functions have as many parameters and results."""
    return len(one.parameters) == len(other.parameters) and len(one.returns) == len(other.returns)
