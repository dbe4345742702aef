"""Finds flags of one thread that no barrier separates from the other threads of its block.

Source: PTX ISA, "Causality Order". One thread of a block sets a flag for data that all its threads
store, or waits for a flag before all load. The others are only ordered with it by a barrier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reached
from ptx_ls.threads.flags.early_flags import FlagStores, flag_loops
from ptx_ls.threads.flags.flags import is_flag, weak_load
from ptx_ls.threads.flags.places import may_exchange
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of
from ptx_ls.threads.uniformity.levels import LANES, Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.flags.early_flags import LoadedPlaces
    from ptx_ls.threads.flags.places import Place
    from ptx_ls.threads.flags.spin_loops import SpinLoop
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity


_MAX_COMPARED: Final = 1 << 12
"""Number of pairs of accesses, or of blocks with them, that are compared in a function."""


class UnsharedFlag(NamedTuple):
    """A flag of one thread, and data of all threads of its block, which no barrier orders with it.

    `data`, `flag`: the access to the data, and to the flag. `symbol`: the variable or pointer of
    the data. `is_store`: whether the flag is set; if not, it is awaited.
    """

    data: Found
    flag: Found
    symbol: Symbol
    is_store: bool


def unshared_flags(uniformity: FunctionUniformity) -> Iterator[UnsharedFlag]:
    """Yields the first such data of each loop that waits for a flag, and of each such flag."""
    values = uniformity.values
    loops = flag_loops(values)
    if loops and uniformity.is_known:
        stores = FlagStores(values, frozenset(it.start for loop in loops for it in loop.loads))
        finder = _UnsharedFlags(uniformity, stores)
        for loop in loops:
            for found in finder.read_early(loop), finder.set_early(loop):
                if found is not None:
                    yield found


class _UnsharedFlags:
    """Compares the accesses of one thread to a flag with those of all threads to data."""

    def __init__(self, uniformity: FunctionUniformity, stores: FlagStores) -> None:
        self._uniformity, self._stores = uniformity, stores
        self._n_left = _MAX_COMPARED
        self._values, self._graph = uniformity.values, uniformity.values.graph
        self._accesses, self._sites = stores.accesses, stores.accesses.sites

    def read_early(self, loop: SpinLoop) -> UnsharedFlag | None:
        """Returns data that all threads load after one of them has waited in a loop."""
        flag, wait = self._accesses.place_of(loop.loads[0]), loop.loads[0]
        if flag is None or flag.is_shared:
            return None
        after = reached([loop.tail], self._graph.successors.__getitem__)
        for block, sites in self._sites.items():
            for place, site in enumerate(sites if block in after else ()):
                self._n_left -= 1
                if self._n_left < 0:
                    return None
                data = self._data_of_others(site, flag)
                passed = self._passed_from(loop, block) if data is not None else None
                if data is None or passed is None:
                    continue
                if not self._is_of_one(wait):  # which takes longer than all tests above
                    return None
                if self._is_of_all(site.found) and not self._order([*passed, *sites[:place]], wait):
                    return UnsharedFlag(site.found, wait, data.symbol, is_store=False)
        return None

    def _passed_from(self, loop: SpinLoop, block: int) -> list[EventSite] | None:
        """Returns what is between a loop and a block that threads enter after it; None for none.

        It includes what is on paths that other threads may take instead of the loop.
        """
        inside = range(loop.head, loop.tail + 1)
        if block in inside:
            return None
        start = self._common_dominator(loop.head, block)
        between = self._between(start, block)
        if loop.head not in between or start == block:
            return None
        return [it for one in between.difference(inside) for it in self._of(one)]

    def _data_of_others(self, site: EventSite, flag: Place) -> Place | None:
        """Returns what a plain load reads if a thread of another block may store it."""
        event = weak_load(site, flag)
        data = self._accesses.place(site, event) if event is not None else None
        if data is None or is_flag(data, flag):
            return None
        stores = self._accesses.stored(data.symbol)
        is_stored = any(may_exchange(each, data, in_block=False) for each in stores)
        return data if is_stored else None

    def set_early(self, loop: SpinLoop) -> UnsharedFlag | None:
        """Returns data that all threads store before one of them sets the flag of a loop."""
        flag = self._accesses.place_of(loop.loads[0])
        if flag is None or flag.is_shared:
            return None
        needed: LoadedPlaces | None = None
        for block, sites in self._sites.items():
            for place, site in enumerate(sites):
                if not self._stores.may_set(site, flag):
                    continue
                needed = self._stores.loaded_after(loop, flag) if needed is None else needed
                if not needed:
                    return None
                for data, event, passed in self._stores_before(sites[:place], block):
                    found = self._stores.first_needed([(data, event)], needed, flag)
                    if found is None:
                        continue
                    if not self._stores.sets(site, flag, loop) or not self._is_of_one(site.found):
                        break
                    if self._is_of_all(data.found) and not self._order(passed, site.found):
                        return UnsharedFlag(data.found, site.found, found[1], is_store=True)
        return None

    def _stores_before(
        self, before: Sequence[EventSite], block: int
    ) -> Iterator[tuple[EventSite, AccessEvent, list[EventSite]]]:
        """Yields the plain stores that each path to a statement passes, with what follows each.

        `before`: the sites of its block before the statement.
        """
        for number, sites in self._sites.items():
            self._n_left -= 1
            if self._n_left < 0:
                return
            if not self._graph.dominators.dominates(number, block):
                continue
            own = before if number == block else sites
            between = self._between(number, block) - {number}
            passed = [it for one in between for it in self._of(one)]
            passed += before if number != block else ()
            for place, site in enumerate(own):
                for event in site.known.events.accesses if site.known is not None else ():
                    if event.kind == "writes" and event.order == "weak":
                        yield site, event, [*own[place + 1 :], *passed]

    def _of(self, block: int) -> list[EventSite]:
        return self._sites.get(block, [])

    def _common_dominator(self, one: int, other: int) -> int:
        """Returns the last block that each path to either of two blocks passes."""
        found = one
        while found > 0 and not self._graph.dominators.dominates(found, other):
            found = self._graph.dominators.parent[found]
        return found

    def _between(self, start: int, end: int) -> set[int]:
        """Returns the blocks on paths from a block, which dominates another one, to that one.

        Neither of the two is among them.
        """
        waiting, seen = [end], {start, end}
        while waiting:
            for each in self._graph.predecessors[waiting.pop()]:
                if each not in seen:
                    seen.add(each)
                    waiting.append(each)
        return seen - {start, end}

    def _is_of_one(self, found: Found) -> bool:
        """Whether only one thread of a block executes a statement."""
        sets = [own.threads for _, own in self._uniformity.threads_of(found)]
        return bool(sets) and all(each.bit_count() == 1 for each in sets)

    def _is_of_all(self, found: Found) -> bool:
        """Whether all threads of a block execute a statement together."""
        sets = [*self._uniformity.threads_of(found)]
        return bool(sets) and all(
            own.threads == shape.everyone and own.together >= Level.CTA for shape, own in sets
        )

    def _order(self, sites: Sequence[EventSite], flag: Found) -> bool:
        """Whether statements may order the thread of a flag with the others.

        Those that only this thread executes do not. Blocks of an unknown size may have one warp.
        """
        shapes = self._uniformity.shapes
        is_large = all(each.is_stated and each.n_threads > LANES for each in shapes)
        needed = OrderingLevel.BLOCK if is_large else OrderingLevel.WARP
        single = dict(self._uniformity.threads_of(flag))
        for site in sites:
            if ordering_of(site.known) < needed:
                continue
            own = self._uniformity.threads_of(site.found)
            if any(each.threads & ~single[shape].threads for shape, each in own):
                return True
        return False
