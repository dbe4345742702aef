"""Finds the statements that only one thread at a time may execute, because it holds a lock."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.threads.events.sites import address_of, event_sites
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of, orders_by_reading
from ptx_ls.threads.happens_before.waiting_sites import decides

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.function_values import FunctionValues

    Ends = Mapping[int, Sequence[FunctionPosition]]

_STRONG_READS: Final = ("atom", "ld")
_STRONG_WRITES: Final = ("atom", "red", "st")
_BARRIERS: Final = ("bar", "barrier")


class LockedBlocks:
    """The blocks of a function that threads reach from a loop that may take a lock.

    Such a loop ends when a strong read returns some value, at one or several places. A barrier
    shows that threads hold no lock that keeps others out, and a strong write to the same variable
    lets others continue.
    """

    def __init__(self, values: FunctionValues) -> None:
        self._values = values

    def may_be_held(self, site: EventSite) -> bool:
        """Whether the thread that executes a statement may hold a lock."""
        for blocks, ends in self._held:
            own = ends.get(site.block, ())
            if site.block in blocks and not any(each < site.found.start for each in own):
                return True
        return False

    @cached_property
    def _held(self) -> list[tuple[set[int], Ends]]:
        """The blocks that a thread may enter with each lock, and where it no longer has the lock.

        The reads of a lock are in a loop, and the blocks are outside of that.
        """
        forest = self._values.graph.loop_forest
        found: list[tuple[set[int], Ends]] = []
        for read in event_sites(self._values, _STRONG_READS, orders_by_reading):
            loop = forest.innermost(read.block)
            if loop >= 0 and decides(self._values, read, by_stores=False):
                ends = self._ends(read)
                found.append((self._reached_from(read, ends) - forest.blocks(loop), ends))
        return found

    def _reached_from(self, site: EventSite, ends: Ends) -> set[int]:
        """Returns the blocks that paths lead to from a statement before a lock ends."""
        successors = self._values.graph.successors
        if any(each > site.found.start for each in ends.get(site.block, ())):
            return set()
        waiting, seen = [*successors[site.block]], set[int]()
        while waiting:
            block = waiting.pop()
            if block not in seen:
                seen.add(block)
                waiting += () if block in ends else successors[block]
        return seen

    def _ends(self, read: EventSite) -> Ends:
        """Returns the places by their blocks where a thread that has read a lock gives it up."""
        found: dict[int, list[FunctionPosition]] = {}
        lock = self._variable(read)
        own = [each for each in self._writes if lock is not None and self._variable(each) == lock]
        for each in (*self._barriers, *own):
            if each.found.start != read.found.start:
                found.setdefault(each.block, []).append(each.found.start)
        return found

    def _variable(self, site: EventSite) -> Symbol | None:
        """Returns the variable that a statement accesses strongly, or the pointer to it."""
        for each in site.known.events.accesses if site.known is not None else ():
            form = address_of(self._values, site, each.operand) if each.is_strong else None
            base = None if form is None else form.base
            if base is not None and base.symbol is not None:
                return base.symbol
        return None

    @cached_property
    def _barriers(self) -> list[EventSite]:
        """The barriers of the block."""
        found = event_sites(self._values, _BARRIERS)
        return [each for each in found if ordering_of(each.known) is OrderingLevel.BLOCK]

    @cached_property
    def _writes(self) -> list[EventSite]:
        """The strong writes that a thread surely executes if it gets to them."""
        found = event_sites(self._values, _STRONG_WRITES, _writes_strongly)
        return [each for each in found if not each.is_guarded]


def _writes_strongly(known: ShapeEvents | None) -> bool:
    return known is not None and any(
        each.is_strong and each.is_write for each in known.events.accesses
    )
