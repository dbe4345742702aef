"""Names that are declared twice in one scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.semantics.problems.instructions import Duplicate
from ptx_ls.semantics.symbols.symbols import Symbol, is_again

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts


def check_repeated_names(
    facts: RegionFacts, module: ModuleFacts, region: int
) -> Iterator[Duplicate]:
    """Names of a region that it declares twice, or that a region before has defined."""
    for symbol, first in facts.duplicates:
        yield Duplicate(symbol, first, symbol.start, symbol.end)
    for symbol in facts.exports:
        if len(module.names.get(symbol.name, ())) > 1:
            before = _defined_before(symbol, region, module)
            if before is not None:
                yield Duplicate(symbol, before, symbol.start, symbol.end, is_near=False)


def _defined_before(symbol: Symbol, region: int, module: ModuleFacts) -> Symbol | None:
    """The definition that a region before has of what is defined, or declared, once more."""
    if not symbol.is_definition and not is_again(symbol, symbol):
        return None
    for place in module.definitions_of(symbol.name):
        if place.region >= region:
            break
        if symbol.is_definition or is_again(symbol, place.symbol):
            return place.symbol
    return None
