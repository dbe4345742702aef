"""Finds data that a flag announces to other threads without ordering it.

Source: PTX ISA, "Release and Acquire Patterns". A kernel that waits for a flag and then loads what
it also stores elsewhere communicates through that data.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.slices.pointer_rows import pointer_rows
from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.record_lines import run_start
from ptx_ls.threads.events.sites import EventSite, address_of, event_sites
from ptx_ls.threads.flags.places import Place, are_same_flags, may_exchange, place_at
from ptx_ls.threads.flags.spin_loops import (
    ATOMIC,
    atomic_waits,
    may_be_atomic_wait,
    spin_loops,
)
from ptx_ls.threads.happens_before.ordering import OPCODES, OrderingLevel, ordering_of
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.flags.spin_loops import SpinLoop
    from ptx_ls.values.function_values import FunctionValues

SPACES: Final = frozenset({"generic", "global", "shared::cta"})
"""State spaces of flags and of data."""
_UNORDERED: Final = frozenset({"relaxed", "volatile"})
_FENCES: Final = frozenset({"fence", "membar"})
_BARRIERS: Final = frozenset({"barrier sync", "barrier reduce", "barrier arrive"})
_IN_BLOCK: Final = _BARRIERS | {"warp barrier"}
_LOAD: Final = "ld"
_WEAK: Final = "weak"
_OF_BLOCK: Final = "shared::cta"
_MEMORY: Final = frozenset({"", ".global", ".shared"})
"""State spaces that an address may be in to count."""
_POINTERS: Final = (TermKind.SYMBOL, TermKind.PARAMETER)
_MAX_BLOCKS: Final = 64
"""Number of blocks that are searched for an access."""


class UnorderedFlag(NamedTuple):
    """Data that a thread loads after it has waited for a flag, which nothing orders.

    `data`, `flag`: the load of the data, and that of the flag. `symbol`: the variable or pointer of
    the data. `is_of_block`: whether the flag is in shared memory.
    """

    data: Found
    flag: Found
    symbol: Symbol
    is_of_block: bool


def may_wait_for_flags(text: RegionText) -> bool:
    """Whether a function reads memory with a strong access that acquires nothing."""
    return any(map(_is_flag_load, _flag_shapes(text) | _atomic_shapes(text)))


def _flag_shapes(text: RegionText) -> set[Shape]:
    """Returns the shapes that may be such loads."""
    return {
        each
        for each in text.shapes_of((_LOAD,))
        if not _UNORDERED.isdisjoint(each.opcode.split("."))
    }


def _atomic_shapes(text: RegionText) -> set[Shape]:
    """Returns the shapes of atomic operations with which a loop may wait."""
    return {each for each in text.shapes_of((ATOMIC,)) if may_be_atomic_wait(each)}


def _is_flag_load(shape: Shape) -> bool:
    known = events_of(shape) if shape.name == _LOAD or may_be_atomic_wait(shape) else None
    if known is None:
        return False
    return all(it.order in _UNORDERED and it.space in SPACES for it in known.events.accesses)


def unordered_flags(values: FunctionValues) -> Iterator[UnorderedFlag]:
    """Yields the accesses to data that a flag does not order."""
    flow = values.flow
    loops = [
        *spin_loops(flow, _flag_shapes(flow.text), _is_flag_load),
        *atomic_waits(flow, _atomic_shapes(flow.text), _is_flag_load),
    ]
    if loops:
        yield from flag_accesses(values).found(loops)


class FlagAccesses:
    """The accesses of a function to memory around the loops that wait for a flag.

    Attributes:
        sites: the statements that access memory or may order, by block.
    """

    def __init__(self, values: FunctionValues) -> None:
        self._values, self._graph = values, values.graph
        opcodes = (*OPCODES, *sorted(_FENCES))
        self.sites: dict[int, list[EventSite]] = {}
        self._rows: dict[str, frozenset[int]] = {}
        self._places: dict[tuple[FunctionPosition, str], Place | None] = {}
        self._stores: dict[str, list[tuple[EventSite, AccessEvent]]] = {}
        for site in event_sites(values, opcodes, _matters):
            self.sites.setdefault(site.block, []).append(site)

    def found(self, loops: Sequence[SpinLoop]) -> Iterator[UnorderedFlag]:
        """Yields the data that is loaded after some loops."""
        for loop in loops:
            flag = self.place_of(loop.loads[0])
            if any(orders(each, flag) for each in self._inside(loop)):
                continue
            data = next(self._loaded_after(loop, flag), None)
            if data is not None:
                yield UnorderedFlag(data[0].found, loop.loads[0], data[1], is_of_block(flag))

    def _inside(self, loop: SpinLoop) -> Iterator[EventSite]:
        """Yields the sites in a loop other than its loads."""
        places = {each.start for each in loop.loads}
        for block in range(loop.head, loop.tail + 1):
            for site in self.sites.get(block, ()):
                if site.found.start not in places:
                    yield site

    def _loaded_after(
        self, loop: SpinLoop, flag: Place | None
    ) -> Iterator[tuple[EventSite, Symbol]]:
        """Yields the weak loads after a loop of what the kernel also stores."""
        for site in self._sites_after(loop, flag):
            event = weak_load(site, flag)
            place = self.place(site, event) if event is not None else None
            if place is not None and not is_flag(place, flag) and self._is_stored(place, flag):
                yield site, place.symbol

    def _sites_after(self, loop: SpinLoop, flag: Place | None) -> Iterator[EventSite]:
        """Yields the sites after a loop that are reached with nothing ordering in between."""
        inside = range(loop.head, loop.tail + 1)
        exits = {to for each in inside for to in self._graph.successors[each] if to not in inside}
        waiting, seen = sorted(exits), set(exits)
        while waiting and len(seen) < _MAX_BLOCKS:
            block = waiting.pop(0)
            for site in self.sites.get(block, ()):
                if orders(site, flag):
                    break
                yield site
            else:
                following = {*self._graph.successors[block]} - seen - {*inside}
                seen |= following
                waiting += sorted(following)

    def _is_stored(self, loaded: Place, flag: Place | None) -> bool:
        """Whether a thread may store what one of those loads that wait for a flag."""
        return any(
            may_exchange(stored, loaded, in_block=is_of_block(flag)) and not is_flag(stored, flag)
            for stored in self.stored(loaded.symbol)
        )

    def stored(self, symbol: Symbol) -> Iterator[Place]:
        """Yields where the kernel stores with plain stores to a variable, or through a pointer."""
        if symbol.name not in self._stores:
            self._stores[symbol.name] = [
                (site, event)
                for sites in self.sites.values()
                for site in sites
                for event in _plain_stores(site)
                if self.may_access(site, symbol)
            ]
        for site, event in self._stores[symbol.name]:
            place = self.place(site, event)
            if place is not None and place.symbol == symbol:
                yield place

    def may_access(self, site: EventSite, symbol: Symbol) -> bool:
        """Whether an address in a statement may begin at a variable or pointer; a quick test."""
        flow = self._values.flow
        rows = self._rows.get(symbol.name)
        if rows is None:
            rows = self._rows[symbol.name] = pointer_rows(flow, symbol.name)
        return run_start(flow.text.records, site.found.start[0]) in rows

    def place_of(self, found: Found) -> Place | None:
        """Returns what an access touches; None if that is unknown."""
        block = self._graph.number_at(found.start)
        for site in self.sites.get(-1 if block is None else block, ()):
            if site.found.start == found.start and site.known is not None:
                return self.place(site, site.known.events.accesses[0])
        return None

    def place(self, site: EventSite, event: AccessEvent) -> Place | None:
        """Returns what an access touches; None if that is unknown, or in other memory."""
        key = site.found.start, event.operand
        if key not in self._places:
            self._places[key] = self._find_place(site, event)
        return self._places[key]

    def _find_place(self, site: EventSite, event: AccessEvent) -> Place | None:
        form = address_of(self._values, site, event.operand)
        base = form.base if form is not None else None
        if form is None or base is None or base.symbol is None or base.kind not in _POINTERS:
            return None
        if form.space not in _MEMORY:
            return None
        return place_at(self._values, base.symbol, form, event.n_bytes or 1)


def _plain_stores(site: EventSite) -> list[AccessEvent]:
    """Returns the plain stores of a statement to memory that threads share."""
    events = site.known.events.accesses if site.known is not None else ()
    return [it for it in events if it.is_write and it.order == _WEAK and it.space in SPACES]


def is_flag(place: Place, flag: Place | None) -> bool:
    """Whether a place is surely one of the flags for which threads wait."""
    return flag is not None and are_same_flags(place, flag)


def is_of_block(flag: Place | None) -> bool:
    """Whether only threads of one block may wait for a flag."""
    return flag is not None and flag.is_shared


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def flag_accesses(values: FunctionValues) -> FlagAccesses:
    """Returns the accesses of a function; the same object for the last ones."""
    return FlagAccesses(values)


def _matters(known: ShapeEvents | None) -> bool:
    """Whether an instruction may order accesses, or accesses memory of several threads."""
    if known is None or ordering_of(known) is not OrderingLevel.NONE:
        return True
    events = known.events
    return bool(events.syncs) or any(each.space in SPACES for each in events.accesses)


def orders(site: EventSite, flag: Place | None) -> bool:
    """Whether an instruction may order accesses after what has been released by setting a flag.

    A barrier of the block only orders accesses of its threads: for other blocks, only a fence or an
    acquiring access makes an acquire pattern.
    """
    record = site.found.record
    if site.known is None or not isinstance(record, Shape) or _orders(record):
        return True
    return is_of_block(flag) and any(it.action in _IN_BLOCK for it in site.known.events.syncs)


def is_narrow_fence(site: EventSite) -> bool:
    """Whether an instruction is a fence that only threads of the same block may rely on."""
    record = site.found.record
    if site.known is None or not isinstance(record, Shape) or record.name not in _FENCES:
        return False
    scopes = {each.scope for each in site.known.events.syncs}
    return scopes == {"cta"}


@lru_cache(maxsize=1 << 12)
def _orders(shape: Shape) -> bool:
    """Whether instructions of a shape may do so; asked for each access on each path."""
    known = events_of(shape)
    if known is None:
        return True
    events = known.events
    syncs = [each for each in events.syncs if each.action not in _BARRIERS]
    orders = {each.order for each in events.accesses} | {each.order for each in syncs}
    if orders - {"", _WEAK, *_UNORDERED}:
        return True
    return bool(syncs) and ordering_of(known) is OrderingLevel.BLOCK


def weak_load(site: EventSite, flag: Place | None) -> AccessEvent | None:
    """Returns the access of a plain load of memory of the threads that wait for a flag."""
    event = shared_load(site, flag)
    return event if event is not None and event.order == _WEAK else None


def shared_load(site: EventSite, flag: Place | None) -> AccessEvent | None:
    """Returns the access of a load of memory of the threads that wait for a flag."""
    if site.known is None or site.known.events.completion:
        return None
    events = (each for each in site.known.events.accesses if each.kind == "reads")
    return next((each for each in events if is_common(each, flag)), None)


def is_common(event: AccessEvent, flag: Place | None) -> bool:
    """Whether an access may be to memory that is common to the threads that wait for a flag.

    Threads of different blocks have no shared memory in common.
    """
    return event.space in SPACES and (event.space != _OF_BLOCK or is_of_block(flag))
