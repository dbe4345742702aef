"""Finds stores of a flag that may be performed before the data that the flag announces.

Source: PTX ISA, "Release and Acquire Patterns". The kernel itself has the loop that waits for the
flag, and loads the data after it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import number_of
from ptx_ls.threads.flags.flags import (
    SPACES,
    flag_accesses,
    is_common,
    is_flag,
    is_narrow_fence,
    is_of_block,
    orders,
    shared_load,
)
from ptx_ls.threads.flags.places import may_exchange
from ptx_ls.threads.flags.spin_loops import (
    ATOMIC,
    atomic_waits,
    may_be_atomic_wait,
    spin_loops,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.record import Shape
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.flags.places import Place
    from ptx_ls.threads.flags.spin_loops import SpinLoop
    from ptx_ls.values.function_values import FunctionValues

    LoadedPlaces = Mapping[Symbol, AbstractSet[Place]]

_LOAD: Final = "ld"
_STRONG: Final = frozenset({"relaxed", "volatile", "acquire", "mmio"})
_WEAK: Final = "weak"
_UNORDERED: Final = frozenset({"relaxed", "volatile", _WEAK})
_ANY: Final = _UNORDERED | {"release", "acq_rel", "sc"}
MAX_LOOPS: Final = 8
"""Number of loops of a function whose flags are compared with all of its stores."""
_MAX_BLOCKS: Final = 64
"""Number of blocks that are searched."""
_MAX_COMPARED: Final = 1 << 14
"""Number of pairs of places that are compared in a function."""


class EarlyFlag(NamedTuple):
    """A store of a flag that nothing orders after the store of data.

    `data`, `store`: the store of the data, and that of the flag. `symbol`: the variable or pointer
    of the data. `wait`: the load of the loop that waits for the flag. `is_of_block`: whether the
    flag is in shared memory. `is_narrow`: whether fences for the own block come between them.
    """

    data: Found
    store: Found
    symbol: Symbol
    wait: Found
    is_of_block: bool = False
    is_narrow: bool = False


def may_announce(text: RegionText) -> bool:
    """Whether a function has strong reads of memory, with which it may wait for a flag."""
    return bool(_strong_loads(text) or _atomic_shapes(text))


def _atomic_shapes(text: RegionText) -> set[Shape]:
    return {each for each in text.shapes_of((ATOMIC,)) if _is_atomic_wait(each)}


def _is_atomic_wait(shape: Shape) -> bool:
    known = events_of(shape) if may_be_atomic_wait(shape) else None
    events = known.events.accesses if known is not None else ()
    return bool(events) and all(it.space in SPACES for it in events)


def _strong_loads(text: RegionText) -> set[Shape]:
    return {
        each
        for each in text.shapes_of((_LOAD,))
        if not _STRONG.isdisjoint(each.opcode.split(".")) and _is_strong(each)
    }


def _is_strong(shape: Shape) -> bool:
    known = events_of(shape) if shape.name == _LOAD else None
    events = known.events.accesses if known is not None else ()
    return bool(events) and all(it.order in _STRONG and it.space in SPACES for it in events)


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def flag_loops(values: FunctionValues) -> tuple[SpinLoop, ...]:
    """Returns the loops of a function that wait for a flag."""
    flow = values.flow
    return (
        *spin_loops(flow, _strong_loads(flow.text), _is_strong),
        *atomic_waits(flow, _atomic_shapes(flow.text), _is_atomic_wait),
    )


def early_flags(values: FunctionValues) -> Iterator[EarlyFlag]:
    """Yields the first such store for each loop that waits for a flag."""
    loops = flag_loops(values)
    if loops:
        finder = FlagStores(values, frozenset(it.start for loop in loops for it in loop.loads))
        for loop in loops[:MAX_LOOPS]:
            found = next(finder.found(loop), None)
            if found is not None:
                yield found


def _is_lock(loop: SpinLoop) -> bool:
    """Whether a loop waits with an atomic operation, which takes what it waits for."""
    return loop.loads[0].text.partition("atom")[1] == ATOMIC


class FlagStores:
    """The stores of a function.

    Attributes:
        accesses: what accesses memory or may order.
    """

    def __init__(self, values: FunctionValues, waits: AbstractSet[FunctionPosition]) -> None:
        """`waits`: the places of the reads that loops repeat."""
        self._values, self._graph, self._waits = values, values.graph, waits
        self.accesses = flag_accesses(values)
        self._n_left = _MAX_COMPARED

    @property
    def is_exhausted(self) -> bool:
        """Whether the most places have been compared, so that no others are."""
        return self._n_left <= 0

    def found(self, loop: SpinLoop) -> Iterator[EarlyFlag]:
        """Yields the stores of the flag of a loop that may come before data."""
        flag = self.accesses.place_of(loop.loads[0])
        needed: LoadedPlaces | None = None
        for block, sites in self.accesses.sites.items():
            if flag is None or loop.head <= block <= loop.tail:
                continue
            for place, site in enumerate(sites):
                if not self.may_set(site, flag, _UNORDERED):
                    continue
                before = [*self.unordered_stores(sites[:place], block, flag)]
                if not before:
                    continue
                needed = self.loaded_after(loop, flag) if needed is None else needed
                data = self.first_needed(before, needed, flag)
                if data is not None and self.sets(site, flag, loop, _UNORDERED):
                    of_block = is_of_block(flag)
                    yield EarlyFlag(data[0].found, site.found, data[1], loop.loads[0], of_block)

    def may_set(self, site: EventSite, flag: Place, orders: AbstractSet[str] = _ANY) -> bool:
        """Whether an instruction may set a flag with some order; a quick test."""
        return (
            site.found.start not in self._waits
            and any(_writes(each, orders) for each in _events(site))
            and self.accesses.may_access(site, flag.symbol)
        )

    def sets(
        self,
        site: EventSite,
        flag: Place,
        loop: SpinLoop,
        orders: AbstractSet[str] = _ANY,
    ) -> bool:
        """Whether an instruction that may set the flag of a loop with some order surely does so.

        0 mostly clears a flag, but sets a lock.
        """
        return any(
            _writes(event, orders)
            and (place := self.accesses.place(site, event)) is not None
            and is_flag(place, flag)
            and (
                event.kind != "writes" or _is_lock(loop) or number_of(self._values, site, "b") != 0
            )
            for event in _events(site)
        )

    def loaded_after(self, loop: SpinLoop, flag: Place) -> LoadedPlaces:
        """Returns what loads of data read after a loop, apart from its flag."""
        found: dict[Symbol, set[Place]] = {}
        waiting, seen = [loop.tail], {loop.tail}
        while waiting and len(seen) < _MAX_BLOCKS:
            for to in self._graph.successors[waiting.pop()]:
                if to not in seen and not loop.head <= to <= loop.tail:
                    seen.add(to)
                    waiting.append(to)
        for block in seen - {*range(loop.head, loop.tail + 1)}:
            for site in self.accesses.sites.get(block, ()):
                event = shared_load(site, flag)
                if event is None or not self._is_data(site, event, flag):
                    continue
                place = self.accesses.place(site, event)
                if place is not None and not is_flag(place, flag):
                    found.setdefault(place.symbol, set()).add(place)
        return found

    def _is_data(self, site: EventSite, event: AccessEvent, flag: Place | None) -> bool:
        """Whether an access is to data, not to a flag.

        Strong accesses that order nothing are to data, too, if they are to global memory, and no
        loop waits with them. In shared memory, programs rely on the order of `.volatile` stores.
        """
        if event.order == _WEAK:
            return True
        is_own = site.found.start in self._waits or is_of_block(flag)
        return event.order in _UNORDERED and not is_own

    def unordered_stores(
        self,
        before: list[EventSite],
        block: int,
        flag: Place | None,
        *,
        is_of_grid: bool = False,
    ) -> Iterator[tuple[EventSite, AccessEvent]]:
        """Yields the stores of data on a path to a statement with nothing that orders.

        `before`: the sites of its block before the statement, which sets the flag. `is_of_grid`:
        whether other blocks rely on it, so that a fence for the own block does not help.
        """
        waiting, seen = [(block, before)], {block}
        while waiting and len(seen) < _MAX_BLOCKS:
            number, sites = waiting.pop()
            for site in reversed(sites):
                if orders(site, flag) and not (is_of_grid and is_narrow_fence(site)):
                    break
                for event in _events(site):
                    is_store = event.kind == "writes" and is_common(event, flag)
                    if is_store and self._is_data(site, event, flag):
                        yield site, event
            else:
                for each in {*self._graph.predecessors[number]} - seen:
                    seen.add(each)
                    waiting.append((each, self.accesses.sites.get(each, [])))

    def first_needed(
        self,
        stores: Sequence[tuple[EventSite, AccessEvent]],
        needed: LoadedPlaces,
        flag: Place | None,
    ) -> tuple[EventSite, Symbol] | None:
        """Returns the first store of needed data.

        Threads that only load again what they have stored themselves need no order.
        """
        in_block = is_of_block(flag)
        for site, event in stores if needed else ():
            if not any(self.accesses.may_access(site, symbol) for symbol in needed):
                continue
            place = self.accesses.place(site, event)
            loaded = needed.get(place.symbol, ()) if place is not None else ()
            self._n_left -= len(loaded)
            if place is None or self.is_exhausted:
                continue
            if any(may_exchange(place, it, in_block=in_block) for it in loaded):
                return site, place.symbol
        return None


def _events(site: EventSite) -> tuple[AccessEvent, ...]:
    return () if site.known is None else site.known.events.accesses


def _writes(event: AccessEvent, orders: AbstractSet[str]) -> bool:
    """Whether an access writes memory with some order."""
    return event.is_write and event.order in orders and event.space in SPACES
