"""Finds numbers of barriers that two sets of threads use at the same time.

Only what surely goes wrong is found: each set alone has as many threads as its barrier waits for,
the index of a thread alone decides which of the two it runs, and nothing orders them.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.collectives.barriers import barrier_uses, by_number
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import event_sites
from ptx_ls.threads.happens_before.ordering import OPCODES, OrderingLevel, ordering_of
from ptx_ls.threads.uniformity.levels import LANES, Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.collectives.barriers import BarrierUse
    from ptx_ls.lint.collectives.function_collectives import FunctionCollectives
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.uniformity.launches import BlockShape

_MAX_PAIRS: Final = 200


class SharedNumber(NamedTuple):
    """Two barriers with the same number, and the warps that use each."""

    first: BarrierUse
    second: BarrierUse
    first_warps: tuple[int, ...]
    second_warps: tuple[int, ...]


def shared_numbers(collectives: FunctionCollectives) -> Iterator[SharedNumber]:
    """Yields the barriers of a kernel whose number other threads use, each with one of these."""
    uniformity = collectives.uniformity
    shapes = uniformity.shapes
    is_stated = len(shapes) == 1 and shapes[0].is_stated
    if not is_stated or not uniformity.control.is_kernel or collectives.has_calls:
        return
    finder, n_left = _NumberFinder(collectives, shapes[0]), _MAX_PAIRS
    for _, uses in by_number(barrier_uses(collectives)):
        if any(each.is_arrival for each in uses):
            continue  # threads that arrive without waiting belong to one of the sets
        reported = set[object]()
        for first, second in combinations(uses, 2):
            n_left -= 1
            if n_left < 0:
                return
            found = finder.shared(first, second)
            if found is not None and second.statement.found.start not in reported:
                reported.add(second.statement.found.start)
                yield found


class _NumberFinder:
    """Compares the barriers of a kernel whose blocks have a shape."""

    def __init__(self, collectives: FunctionCollectives, shape: BlockShape) -> None:
        self._uniformity, self._shape = collectives.uniformity, shape
        self._graph = collectives.uniformity.values.graph
        self._orders = [
            site
            for site in event_sites(self._uniformity.values, OPCODES, lambda _: True)
            if ordering_of(site.known) is OrderingLevel.BLOCK
        ]

    def shared(self, first: BarrierUse, second: BarrierUse) -> SharedNumber | None:
        """Returns two barriers if different sets of threads surely may wait at both at once."""
        one, other = self._warps(first), self._warps(second)
        if not one or not other or set(one) >= set(other):
            return None
        if len(one) * LANES != first.threads or len(other) * LANES != second.threads:
            return None
        blocks = [self._graph.number_at(each.statement.found.start) for each in (first, second)]
        if None in blocks:
            return None
        start, stop = (each for each in blocks if each is not None)
        if not all(map(self._graph.dominators.is_reached, (start, stop))):
            return None
        fork = self._fork(start, stop)
        is_chosen = self._is_chosen_by_index(first, start, fork)
        if not is_chosen or not self._is_chosen_by_index(second, stop, fork):
            return None
        if self._is_ordered(fork, first, second):
            return None
        return SharedNumber(first, second, one, other)

    def _warps(self, use: BarrierUse) -> tuple[int, ...]:
        """Returns the warps that run a barrier."""
        ((_, own),) = self._uniformity.threads_of(use.statement.found)
        groups = enumerate(self._shape.groups(Level.WARP))
        return tuple(number for number, warp in groups if warp & own.threads)

    def _fork(self, one: int, other: int) -> int:
        """Returns the last block that all paths to two blocks pass."""
        dominators, found = self._graph.dominators, one
        while not dominators.dominates(found, other):
            found = dominators.parent[found]
        return found

    def _is_chosen_by_index(self, use: BarrierUse, block: int, fork: int) -> bool:
        """Whether the index of a thread alone decides if it gets from a block to a barrier."""
        uniformity, executing = self._uniformity, self._uniformity.executing(self._shape)
        guard = uniformity.guard_of(use.statement.found)
        deciding = [] if guard is None else [guard]
        for each in uniformity.control.deciding(block):
            if self._graph.dominators.dominates(fork, each):
                uses = uniformity.control.decided_by(each)
                if len(uses) != 1:
                    return False
                deciding += uses
        return all(executing.outcome(each, value=True).is_known for each in deciding)

    def _is_ordered(self, fork: int, first: BarrierUse, second: BarrierUse) -> bool:
        """Whether another instruction between a block and two barriers may order the two."""
        own = [each.statement.found.start for each in (first, second)]
        for site in self._orders:
            if site.found.start in own:
                continue
            if any(self._is_between(fork, site, each, own) for each in (first, second)):
                return True
        return False

    def _is_between(
        self, fork: int, site: EventSite, use: BarrierUse, own: Sequence[FunctionPosition]
    ) -> bool:
        place = use.statement.found.start
        block = self._graph.number_at(place)
        if site.block == fork and (block != fork or min(own) > site.found.start):
            return False  # it comes before both
        if site.block == block:
            return site.found.start < place
        return (
            block is not None and self._leads(fork, site.block) and self._leads(site.block, block)
        )

    def _leads(self, one: int, other: int) -> bool:
        """Whether control may get from one block to another without a back edge."""
        back, found, waiting = set(self._graph.back_edges), set[int](), [one]
        while waiting:
            each = waiting.pop()
            for following in self._graph.successors[each]:
                if following == other:
                    return True
                if following not in found and (each, following) not in back:
                    found.add(following)
                    waiting.append(following)
        return False
