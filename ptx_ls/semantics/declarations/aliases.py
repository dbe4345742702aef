"""Checks `.alias` directives.

Source: PTX ISA, "Kernel and Function Directives: .alias".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.redeclaration import signature_difference
from ptx_ls.semantics.problems.declarations import Inconsistency
from ptx_ls.semantics.problems.values import BadValue, ValueFault
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.tokens import REG, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts

_ALIAS: Final = ".alias"
_UNALIASED: Final = (".weak", ".extern")
_DIFFERENCES: Final = {
    Inconsistency.COUNT: ValueFault.ALIAS_PARAMETERS,
    Inconsistency.SPACE: ValueFault.ALIAS_SPACES,
    Inconsistency.TYPE: ValueFault.ALIAS_TYPES,
    Inconsistency.ALIGNMENT: ValueFault.ALIAS_ALIGNMENTS,
    Inconsistency.NO_RETURN: ValueFault.ALIAS_RETURN,
}


def check_aliases(facts: RegionFacts, module: ModuleFacts, region: int) -> Iterator[BadValue]:
    """Yields the invalid names in the `.alias` directives of a function."""
    given: set[str] = set()
    for directive in facts.directives:
        if directive.name == _ALIAS:
            yield from _check(directive, module, region, given)


def _check(
    directive: DirectiveStatement, module: ModuleFacts, region: int, given: set[str]
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
    if alias.name in given:
        fault = ValueFault.ALIAS_TWICE
    elif alias.is_definition or alias.kind is not SymbolKind.FUNCTION:
        fault = ValueFault.ALIAS
    elif alias.name == function.name:
        fault, place = ValueFault.ALIAS_OF_ITSELF, names[1]
    elif function.kind is not SymbolKind.FUNCTION or function.linkage in _UNALIASED:
        fault, place = ValueFault.ALIASED, names[1]
    elif (difference := signature_difference(alias, function)) is not None:
        fault, place = _DIFFERENCES[difference], names[1]
    given.add(alias.name)
    if fault is not None:
        start, end = place.placed(directive.start)
        yield BadValue(_ALIAS, place.string, fault, start, end)
