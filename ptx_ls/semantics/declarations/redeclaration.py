"""Finds repeated definitions of a name, and declarations that disagree.

Source: PTX ISA, "Linking Directives"; ptxas decides which properties have to agree.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.calls.arguments import alignment
from ptx_ls.semantics.problems.declarations import Inconsistency, Inconsistent
from ptx_ls.semantics.problems.instructions import Duplicate
from ptx_ls.semantics.symbols.symbols import (
    CUT,
    FUNCTION_KINDS,
    UNKNOWN_TYPE,
    Symbol,
    SymbolKind,
    is_again,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts

_EXTERN: Final = ".extern"
_NO_RETURN: Final = ".noreturn"
_OF_PARAMETERS: Final = (Inconsistency.SPACE, Inconsistency.TYPE, Inconsistency.ALIGNMENT)


def check_redeclarations(
    facts: RegionFacts, module: ModuleFacts, region: int
) -> Iterator[Inconsistent]:
    """Yields declarations of a function that differ from earlier ones of the same name."""
    for symbol, before in facts.redeclared:
        what = _difference(before, symbol)
        if what is not None:
            yield _inconsistent(symbol, before, what, is_near=True)
    yield from _across_regions(facts, module, region)


def _across_regions(facts: RegionFacts, module: ModuleFacts, region: int) -> Iterator[Inconsistent]:
    for symbol in facts.exports:
        places = module.names.get(symbol.name, ())
        if len(places) < 2:  # noqa: PLR2004  nothing to compare with
            continue
        first = places[0]
        if first.region >= region or _is_duplicate(symbol, module, region):
            continue
        what = _difference(first.symbol, symbol)
        if what is not None:
            yield _inconsistent(symbol, first.symbol, what, is_near=False)


def _inconsistent(
    symbol: Symbol, first: Symbol, what: Inconsistency, *, is_near: bool
) -> Inconsistent:
    """Returns the mismatch, placed at the parameter that differs, if the parameter has a name."""
    parts = None
    if what in _OF_PARAMETERS and symbol.kind in FUNCTION_KINDS:
        parts = next((pair for pair in _pairs(first, symbol) if _unlike(*pair) is what), None)
    place = parts[1] if parts is not None and parts[1].name not in ("", "_") else symbol
    return Inconsistent(symbol, first, what, place.start, place.end, is_near, parts)


def _is_duplicate(symbol: Symbol, module: ModuleFacts, region: int) -> bool:
    """Whether a symbol repeats a definition, which is a `Duplicate`."""
    if not symbol.is_definition and symbol.kind not in FUNCTION_KINDS:
        return False
    before = takewhile(lambda place: place.region < region, module.definitions_of(symbol.name))
    return any(symbol.is_definition or is_again(symbol, place.symbol) for place in before)


def _difference(first: Symbol, second: Symbol) -> Inconsistency | None:
    if first.kind is not second.kind:
        return Inconsistency.KIND
    if first.kind in FUNCTION_KINDS:
        return _of_functions(first, second)
    if first.kind is not SymbolKind.VARIABLE:
        return None
    if first.type != second.type or first.vector_size != second.vector_size:
        return Inconsistency.TYPE
    if not _is_same_array(first, second):
        return Inconsistency.SIZE
    if first.linkage == _EXTERN and not second.linkage:
        return Inconsistency.LINKAGE
    return None


def _is_same_array(one: Symbol, other: Symbol) -> bool:
    """Whether the sizes of two arrays agree; a missing size agrees with any."""
    if len(one.dimensions) != len(other.dimensions):
        return False
    pairs = zip(one.dimensions, other.dimensions, strict=True)
    return all(size == same or not size or not same for size, same in pairs)


def _of_functions(first: Symbol, second: Symbol) -> Inconsistency | None:
    if first.linkage == _EXTERN and second.is_definition:
        return Inconsistency.LINKAGE
    difference = signature_difference(first, second)
    if difference is not None:
        return difference
    if second.linkage == first.linkage or (not second.linkage and first.linkage != _EXTERN):
        return None
    return Inconsistency.LINKAGE


def signature_difference(first: Symbol, second: Symbol) -> Inconsistency | None:
    """Returns the first difference between two signatures, or None."""
    if (len(first.parameters), len(first.returns)) != (len(second.parameters), len(second.returns)):
        return Inconsistency.COUNT
    unlike = next(filter(None, (_unlike(*pair) for pair in _pairs(first, second))), None)
    if unlike is not None:
        return unlike
    is_cut = first.text.endswith(CUT) or second.text.endswith(CUT)
    if not is_cut and (_NO_RETURN in first.text) != (_NO_RETURN in second.text):
        return Inconsistency.NO_RETURN
    return None


def _pairs(first: Symbol, second: Symbol) -> Iterator[tuple[Symbol, Symbol]]:
    """Returns the pairs of return values and parameters of two functions."""
    ours, theirs = (*first.returns, *first.parameters), (*second.returns, *second.parameters)
    return zip(ours, theirs, strict=True)


def _unlike(one: Symbol, other: Symbol) -> Inconsistency | None:
    """Returns the difference between two parameters, or None."""
    if UNKNOWN_TYPE in (one.type, other.type):
        return None
    if one.space != other.space:
        return Inconsistency.SPACE
    if _type(one) != _type(other):
        return Inconsistency.TYPE
    return Inconsistency.ALIGNMENT if alignment(one) != alignment(other) else None


def _type(parameter: Symbol) -> tuple[object, ...]:
    """Returns the properties of a parameter that have to agree; `[]` and `[0]` are the same."""
    sizes = tuple([size or 0 for size in parameter.dimensions])
    return parameter.type, parameter.vector_size, sizes


def check_repeated_names(
    facts: RegionFacts, module: ModuleFacts, region: int
) -> Iterator[Duplicate]:
    """Yields names that a function declares twice, or that an earlier function defines."""
    for symbol, first in facts.duplicates:
        yield Duplicate(symbol, first, symbol.start, symbol.end)
    for symbol in facts.exports:
        if len(module.names.get(symbol.name, ())) > 1:
            before = _defined_before(symbol, region, module)
            if before is not None:
                yield Duplicate(symbol, before, symbol.start, symbol.end, is_near=False)


def _defined_before(symbol: Symbol, region: int, module: ModuleFacts) -> Symbol | None:
    """Returns the definition of a name in an earlier function, if the symbol must not repeat it."""
    if not symbol.is_definition and not is_again(symbol, symbol):
        return None
    for place in module.definitions_of(symbol.name):
        if place.region >= region:
            break
        if symbol.is_definition or is_again(symbol, place.symbol):
            return place.symbol
    return None
