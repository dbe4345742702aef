"""Finds uses of CUDA runtime functions that newer targets no longer have.

Source: CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", as ptxas 13.5 applies it: it
recognises the function by its name, unless the module defines it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa import Violation, ViolationKind, parse_target
from ptx_ls.semantics.calls.call_sites import position, statements_with
from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.written.names import offsets_of_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

_NAME: Final = "cudaDeviceSynchronize"
_LAST: Final = (90, "")
"""The first target without this function."""
_USES: Final = frozenset({"call", "mov"})
_REMOVED: Final = "for sm_90 and newer"
_REQUIRED: Final = "a target before sm_90"


def check_removed_functions(
    text: RegionText, facts: RegionFacts, module: ModuleFacts
) -> Iterator[Unavailable]:
    """Yields uses of runtime functions that the target no longer has."""
    places = module.names.get(_NAME, ())
    if not places or not _is_lacking(module):
        return
    if any(_is_own(place.symbol.kind, place.symbol.is_definition) for place in places):
        return
    for found in statements_with(text, _USES):
        offset = next(offsets_of_name(found.text, _NAME), None)
        if offset is None or facts.lookup(_NAME, found.start) is not None:
            continue
        start = position(found, offset)
        end = along(start, len(_NAME))
        violation = Violation(ViolationKind.REMOVED, ("opcode",), _REMOVED, required=_REQUIRED)
        yield Unavailable(_NAME, violation, start, end)


def _is_lacking(module: ModuleFacts) -> bool:
    target = module.context.target
    return bool(target) and (parse_target(target[0]) or (0, "")) >= _LAST


def _is_own(kind: SymbolKind, is_definition: bool) -> bool:  # noqa: FBT001  of one symbol
    return kind is not SymbolKind.FUNCTION or is_definition
