"""Declarations of one name that disagree: prototypes, `.extern` and definitions.

Source: PTX ISA, "Linking Directives"; what has to agree is what ptxas compares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.mismatch import Inconsistency, Inconsistent
from ptx_ls.semantics.symbols import Symbol, SymbolKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.module import ModuleFacts
    from ptx_ls.semantics.region import RegionFacts

_FUNCTIONS: Final = (SymbolKind.FUNCTION, SymbolKind.KERNEL)


def check_redeclarations(
    facts: RegionFacts, module: ModuleFacts, region: int
) -> Iterator[Inconsistent]:
    """Where a region's exports differ from what the module declared before."""
    for symbol, before in facts.redeclared:
        what = _difference(before, symbol)
        if what is not None:
            yield Inconsistent(symbol, before, what, symbol.start, symbol.end)
    yield from _across_regions(facts, module, region)


def _across_regions(facts: RegionFacts, module: ModuleFacts, region: int) -> Iterator[Inconsistent]:
    for symbol in facts.exports:
        places = module.names.get(symbol.name, ())
        if len(places) < 2:  # noqa: PLR2004  nothing to compare with
            continue
        first = places[0]
        if first.region >= region:
            continue
        if first.symbol.is_definition and symbol.is_definition:
            continue
        what = _difference(first.symbol, symbol)
        if what is not None:
            yield Inconsistent(symbol, first.symbol, what, symbol.start, symbol.end, is_near=False)


def _difference(first: Symbol, second: Symbol) -> Inconsistency | None:
    if first.kind is not second.kind:
        return Inconsistency.KIND
    if first.kind in _FUNCTIONS:
        return _of_functions(first, second)
    if first.kind is not SymbolKind.VARIABLE:
        return None
    if (first.type, first.space, first.vector_size) != (
        second.type,
        second.space,
        second.vector_size,
    ):
        return Inconsistency.TYPE
    if first.linkage == ".extern" and not second.linkage:
        return Inconsistency.LINKAGE
    return None


def _of_functions(first: Symbol, second: Symbol) -> Inconsistency | None:
    if first.linkage == ".extern" and second.is_definition:
        return Inconsistency.LINKAGE
    if (len(first.parameters), len(first.returns)) != (len(second.parameters), len(second.returns)):
        return Inconsistency.COUNT
    pairs = zip(
        (*first.returns, *first.parameters), (*second.returns, *second.parameters), strict=True
    )
    for one, other in pairs:
        if one.space != other.space:
            return Inconsistency.SPACE
        if (one.type, one.dimensions) != (other.type, other.dimensions):
            return Inconsistency.TYPE
        if _alignment(one) != _alignment(other):
            return Inconsistency.ALIGNMENT
    return None


def _alignment(parameter: Symbol) -> int:
    """In bytes, as declared or as the type has it."""
    natural = isa.database().type_facts.get(parameter.type, (0, ""))[0] // 8
    return parameter.alignment or natural
