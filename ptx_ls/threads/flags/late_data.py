"""Finds flags that a thread sets before it stores the data that the flag announces.

Source: PTX ISA, "Release and Acquire Patterns": a release only orders what comes before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.reachability import reached
from ptx_ls.threads.flags.early_flags import MAX_LOOPS, EarlyFlag, FlagStores, flag_loops
from ptx_ls.threads.flags.flags import is_flag, orders
from ptx_ls.threads.flags.places import may_exchange

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.flags.early_flags import LoadedPlaces
    from ptx_ls.threads.flags.places import Place
    from ptx_ls.threads.flags.spin_loops import SpinLoop
    from ptx_ls.values.function_values import FunctionValues

_DataStore = tuple["EventSite", "AccessEvent"]


def late_data(values: FunctionValues) -> Iterator[EarlyFlag]:
    """Yields the first flag of each loop that is set before its data is stored."""
    loops = flag_loops(values)
    if loops:
        finder = _LateData(
            values, FlagStores(values, frozenset(it.start for loop in loops for it in loop.loads))
        )
        for loop in loops[:MAX_LOOPS]:
            yield from finder.found(loop)


class _LateData:
    """The stores of a function after those that set flags."""

    def __init__(self, values: FunctionValues, stores: FlagStores) -> None:
        self._graph, self._stores = values.graph, stores
        self._sites = stores.accesses.sites

    def found(self, loop: SpinLoop) -> Iterator[EarlyFlag]:
        """Yields the first store that sets the flag of a loop too early."""
        flag = self._stores.accesses.place_of(loop.loads[0])
        if flag is None or flag.is_shared:
            return
        needed: LoadedPlaces | None = None
        for block, sites in self._sites.items():
            for at, site in enumerate(sites):
                if self._stores.is_exhausted:
                    return
                if not self._stores.may_set(site, flag):
                    continue
                needed = self._stores.loaded_after(loop, flag) if needed is None else needed
                after = [*self._stored_after(sites[at + 1 :], block, flag)] if needed else []
                data = self._stores.first_needed(after, needed, flag)
                if data is None or self._has_data_before(block, sites[:at], flag, needed):
                    continue
                if not self._may_be_announced(data[0]) and self._stores.sets(site, flag, loop):
                    yield EarlyFlag(data[0].found, site.found, data[1], loop.loads[0])
                    return

    def _after(self, block: int) -> set[int]:
        """Returns the blocks that paths lead to from the end of a block."""
        following = self._graph.successors
        return reached(following[block], following.__getitem__)

    def _before(self, block: int) -> set[int]:
        """Returns the blocks from whose ends paths lead to a block."""
        preceding = self._graph.predecessors
        return reached(preceding[block], preceding.__getitem__)

    def _stored_after(
        self, rest: Sequence[EventSite], block: int, flag: Place
    ) -> Iterator[_DataStore]:
        """Yields the plain stores after a statement, up to what orders.

        `rest`: the sites of its block after it.
        """
        waiting, seen = [(block, rest)], {block}
        while waiting:
            number, sites = waiting.pop()
            for site in sites:
                if orders(site, flag):
                    break
                yield from _plain_stores(site)
            else:
                for each in {*self._graph.successors[number]} - seen:
                    seen.add(each)
                    waiting.append((each, self._sites.get(each, [])))

    def _has_data_before(
        self, block: int, before: Sequence[EventSite], flag: Place, needed: LoadedPlaces
    ) -> bool:
        """Whether a plain store of needed data may come before a flag is set."""
        earlier = self._before(block)
        for number, sites in self._sites.items():
            own = sites if number in earlier else before if number == block else ()
            stores = [each for site in own for each in _plain_stores(site)]
            for site, event in stores:
                place = self._stores.accesses.place(site, event)
                loaded = needed.get(place.symbol, ()) if place is not None else ()
                if place is None or any(
                    is_flag(place, flag) or may_exchange(place, each, in_block=False)
                    for each in loaded
                ):
                    return True
        return False

    def _may_be_announced(self, data: EventSite) -> bool:
        """Whether a fence or a strong write may follow a store."""
        later = self._after(data.block)
        for number in {data.block, *later}:
            for site in self._sites.get(number, ()):
                is_after = number in later or site.found.start > data.found.start
                if is_after and _may_announce(site):
                    return True
        return False


def _plain_stores(site: EventSite) -> Iterator[_DataStore]:
    for event in site.known.events.accesses if site.known is not None else ():
        if event.kind == "writes" and event.order == "weak":
            yield site, event


def _may_announce(site: EventSite) -> bool:
    """Whether a statement is a fence, writes memory with a strong access, or may do so."""
    if site.known is None or orders(site, None):
        return True
    return any(each.is_write and each.is_strong for each in site.known.events.accesses)
