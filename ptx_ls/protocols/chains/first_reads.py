"""Finds the first statement that reads what an asynchronous operation brings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.statement_uses import first_use
from ptx_ls.protocols.site_pairs import SitePair, site_pairs
from ptx_ls.syntax.register_events import WRITES

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.memory.regions import SharedRegion
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.function_values import FunctionValues

_MAX_COMPARED: Final = 300
"""Number of reads that are compared with a copy."""
_TO_REGISTERS: Final = frozenset({"wgmma", "tcgen05.ld"})
"""Mechanisms whose operations write registers."""


def first_read(sites: AsyncSites, start: FunctionPosition) -> Found | None:
    """Returns the first read of the result of the operation that begins at a place.

    That is shared memory of which both surely name the same bytes, or a register. None if no read
    is certain.
    """
    number = next((it for it, each in enumerate(sites.sites) if each.found.start == start), None)
    known = None if number is None else sites.sites[number].known
    if number is None or known is None:
        return None
    if known.events.completion in _TO_REGISTERS:
        return _first_reader(sites.values, sites.sites[number])
    return _first_in_memory(sites, number)


def _first_reader(values: FunctionValues, site: EventSite) -> Found | None:
    """Returns the first statement in the text that reads a register, but for the same operation."""
    flow, first = values.flow, first_use(values.flow, site.found)
    if first < 0:
        return None
    opcode = site.opcode.partition(".")[0]
    found = [
        flow.statement(reader)
        for use in flow.index.statement(first)
        if flow.uses.ways[use] & WRITES
        for reader in flow.readers(use)
    ]
    others = [each for each in found if f"{opcode}." not in each.text]
    return min(others, key=lambda each: each.start, default=None)


def _first_in_memory(sites: AsyncSites, number: int) -> Found | None:
    copy = sites.sites[number]
    regions = [
        sites.regions.of_access(copy, event)
        for event in sites.accesses(number)
        if event.is_write and event.by == "address"
    ]
    known = [each for each in regions if each is not None and each.symbol is not None]
    if not known:
        return None
    later: Found | None = None
    pairs = site_pairs(sites)
    n_left = _MAX_COMPARED
    for other in range(len(sites.sites)):
        if other == number:
            continue
        region = _read_by(sites, other)
        if region is None or region.symbol != known[0].symbol:
            continue
        n_left -= 1
        if n_left < 0:
            break
        head = pairs.head(number, other)
        if head is None or pairs.may_be_skipped(number, other):
            continue
        if pairs.overlap(SitePair(number, known[0], other, region, head)) is None:
            continue
        if head < 0:
            return sites.sites[other].found
        later = later or sites.sites[other].found
    return later


def _read_by(sites: AsyncSites, number: int) -> SharedRegion | None:
    """Returns the shared memory that a site reads."""
    objects = {each.operand for each in sites.syncs(number)}
    for event in sites.accesses(number):
        if event.is_read and event.operand not in objects:
            region = sites.regions.of_event(sites.sites[number], event)
            if region is not None and region.symbol is not None:
                return region
    return None
