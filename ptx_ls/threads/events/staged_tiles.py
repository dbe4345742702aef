"""Finds how many bytes a tensor copy at least reads from a variable in shared memory.

The tensor map contains the size of the tile. But if a variable is only written by threads and read
by tensor copies, these copies read all of it, as nothing else needs the data.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.threads.events.sites import address_of, event_sites
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

_TENSOR: Final = ".tensor"
_COPY: Final = ("cp",)
_MAPPING: Final = ("mapa",)
_SPACES: Final = ("shared::cta", "shared::cluster", "generic")
_OPCODES: Final = ("atom", "cp", "ld", "ldmatrix", "multimem", "red", "tcgen05", "wgmma", "wmma")
"""Opcodes of accesses that may read shared memory."""
_CALLS: Final = ("call",)


def tile_bytes(values: FunctionValues, site: EventSite, event: AccessEvent) -> int | None:
    """Returns how many bytes a tensor copy reads, at least; None if that is unknown."""
    if event.is_write or event.by != "address" or _TENSOR not in site.opcode:
        return None
    symbol = _variable(address_of(values, site, event.operand))
    return None if symbol is None else _steps(values).get(symbol)


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _steps(values: FunctionValues) -> dict[Symbol, int]:
    """Maps variables that only tensor copies read to the distance of the tiles in them."""
    text = values.flow.text
    if text.has_opcodes(_MAPPING) or text.has_opcodes(_CALLS):
        return {}
    found: dict[Symbol, list[AffineForm]] = {}
    for site, event in _reads(values, _COPY):
        form = address_of(values, site, event.operand) if _TENSOR in site.opcode else None
        symbol = _variable(form)
        if form is not None and symbol is not None and bytes_of(symbol):
            found.setdefault(symbol, []).append(form)
    for site, event in _reads(values, _OPCODES) if found else ():
        if _TENSOR in site.opcode and event.proxy == "async":
            continue
        form = address_of(values, site, event.operand) if event.by == "address" else None
        if form is None or form.base is None:
            return {}
        if form.base.symbol is not None:
            found.pop(form.base.symbol, None)
        elif event.space != "generic":
            return {}
    return {symbol: _step(symbol, forms) for symbol, forms in found.items()}


def _reads(
    values: FunctionValues, opcodes: tuple[str, ...]
) -> Iterator[tuple[EventSite, AccessEvent]]:
    """Yields the accesses that may read shared memory, with their sites."""
    for site in event_sites(values, opcodes):
        for event in site.known.events.accesses if site.known is not None else ():
            if event.is_read and event.space in _SPACES:
                yield site, event


def _variable(form: AffineForm | None) -> Symbol | None:
    """Returns the variable that an address is in."""
    base = None if form is None else form.base
    return base.symbol if base is not None and base.kind is TermKind.SYMBOL else None


def _step(symbol: Symbol, forms: list[AffineForm]) -> int:
    """Returns the distance of tiles at some addresses in a variable."""
    least = min(each.offset for each in forms)
    moves = [each.offset - least for each in forms]
    moves += [times for form in forms for term, times in form.terms if term.symbol != symbol]
    return gcd((bytes_of(symbol) or 0) - least, *moves)
