"""Finds declarations of reserved names, and invalid array sizes.

Source: PTX ISA, "Identifiers", "Predefined Identifiers" and "Array Declarations".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.facts import fact
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind, sizes_of
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region import RegionFacts

_WARP: Final = "WARP_SZ"
_SINK: Final = "_"
_RESERVED: Final = frozenset({_WARP, _SINK, "$", "function_name", "inlined_at"})
"""Names that cannot be declared. A name may begin with `$`; the last two are words of `.loc`."""


class ReservedName(NamedTuple):
    """A declaration of a reserved name."""

    name: str
    start: FunctionPosition
    end: FunctionPosition


class BadSize(NamedTuple):
    """An invalid size in the declaration of array `name`; `size` is as written, "" if missing."""

    name: str
    size: str
    start: FunctionPosition
    end: FunctionPosition


@fact
def check_declared_names(facts: RegionFacts) -> tuple[ReservedName | BadSize, ...]:
    """Returns the declarations in a function with a reserved name or an invalid array size."""
    return tuple(_bad_names(facts))


def _bad_names(facts: RegionFacts) -> Iterator[ReservedName | BadSize]:
    has_label = facts.has_plain_label(_RESERVED)
    for symbol in facts.symbols if has_label else facts.listed:
        if symbol.name in _RESERVED and not _is_unnamed(symbol, facts):
            yield ReservedName(symbol.name, symbol.start, symbol.end)
        if symbol.dimensions and (None in symbol.dimensions or 0 in symbol.dimensions[1:]):
            yield from _check_sizes(symbol)


def _is_unnamed(symbol: Symbol, facts: RegionFacts) -> bool:
    """Whether a symbol is a parameter with the name `_`, which another check reports."""
    function = facts.function
    return (
        symbol.name == _SINK
        and function is not None
        and any(symbol is each for each in (*function.parameters, *function.returns))
    )


def _check_sizes(symbol: Symbol) -> Iterator[BadSize]:
    written = next((found.sizes for found in sizes_of(symbol) if found.sizes), ())
    for index, size in enumerate(written):
        is_open = not size or size == "0"
        digits = size.removeprefix("-").lstrip()
        is_number = (digits[:1].isdecimal() and digits.isalnum()) or size == _WARP
        if (is_open and index) or not (is_open or is_number):
            if symbol.kind is SymbolKind.PARAMETER and index:
                return  # a second dimension, which another check reports
            yield BadSize(symbol.name, size, symbol.start, symbol.end)
            return
