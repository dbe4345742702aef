"""The statements of a function that take part in the protocols of asynchronous copies."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.function_sites import FunctionSites
from ptx_ls.protocols.memory.regions import SharedRegions
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS, region_text
from ptx_ls.source.reachability import reached, without_edges
from ptx_ls.threads.events.sites import event_sites, number_of
from ptx_ls.threads.happens_before.ordering import OPCODES, OrderingLevel, ordering_of
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.function import Function
    from ptx_ls.flow.graph import Loop
    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

COPYING: Final = ("cp", "mbarrier", "tcgen05", "wgmma")
"""The opcodes of which a function needs one to have asynchronous instructions."""
_OPCODES: Final = (*OPCODES, "fence", "membar", "ret", "exit", "multimem")
_MAX_SITES: Final = 1_000
"""Number of statements up to which a function is examined."""
_MAX_WORK: Final = 50_000
"""Number of asynchronous copies times the number of statements up to which it is."""
_MARKS: Final = ("cp.async", "cp.reduce.async", "mbarrier", "tcgen05", "wgmma")
_ENDS: Final = ("ret", "exit")
_CLUSTER_BARRIER, _UNKNOWN_BARRIER = -1, -2
_BLOCK_BARRIERS: Final = frozenset({"barrier sync", "barrier arrive", "barrier reduce"})
_CLUSTER_BARRIERS: Final = frozenset({"cluster arrive", "cluster wait"})
SHARED: Final = "shared::cta"
_SHARED: Final = frozenset({SHARED, "shared::cluster"})


def has_copies(text: RegionText) -> bool:
    """Whether a function has asynchronous instructions; a quick test."""
    return any(each.opcode.startswith(_MARKS) for each in text.shapes_of(COPYING))


class AsyncSites(FunctionSites):
    """The statements of a function that copy, wait, order or access memory, in order.

    `regions`: the shared memory that it names.
    """

    def __init__(self, uniformity: FunctionUniformity) -> None:
        super().__init__(uniformity)
        values = self.values
        self.graph = values.graph
        self.regions = SharedRegions(values, self.participants.shape)
        self._barriers: dict[int, int | None] = {}
        self._loops: dict[int, tuple[Loop, ...]] = {}
        self._loops_between: dict[tuple[int, int], int | None] = {}
        found = [*event_sites(values, _OPCODES, _matters)] if uniformity.is_known else []
        found = [each for each in found if each.block >= 0]
        self._forward: dict[tuple[int, bool], frozenset[int]] = {}
        n_copies = sum(it.known is not None and it.known.events.completion != "" for it in found)
        is_large = len(found) > _MAX_SITES or n_copies * len(found) > _MAX_WORK
        self.sites = () if is_large else tuple(found)

    @property
    def is_readable(self) -> bool:
        """Whether all statements of the function can be read."""
        return self.values.is_readable

    @cached_property
    def _by_action(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, site in enumerate(self.sites):
            for sync in site.syncs:
                found.setdefault(sync.action, []).append(number)
                if sync.of:
                    found.setdefault(f"{sync.action} {sync.of}", []).append(number)
        return found

    def doing(self, *actions: str) -> list[int]:
        """Returns the numbers of the sites with some actions, such as `wait bulk`."""
        return sorted({it for each in actions for it in self._by_action.get(each, ())})

    def completing(self, how: str) -> list[int]:
        """Returns the numbers of the copies that complete in some way."""
        return [
            number
            for number, site in enumerate(self.sites)
            if site.known is not None
            and site.known.events.completion == how
            and any(it.space in _SHARED for it in site.known.events.accesses)
            and not self.is_tracking(number)
        ]

    def accesses(self, number: int) -> Iterator[AccessEvent]:
        """Yields the accesses of a site to shared memory of the own block."""
        known = self.sites[number].known
        for each in known.events.accesses if known is not None else ():
            if each.space in _SHARED or each.space == "generic":
                yield each

    def are_in_one_block(self, number: int, other: int) -> bool:
        """Whether two sites are in the same block of the flow graph."""
        return self.sites[number].block == self.sites[other].block

    def is_tracking(self, number: int) -> bool:
        """Whether a site lets an mbarrier object track the copies of its thread."""
        return any(each.action.startswith("mbarrier track") for each in self.syncs(number))

    @cached_property
    def is_closed(self) -> bool:
        """Whether the function does everything itself: a kernel without calls."""
        return self.is_kernel and not any(map(self.is_opaque, range(len(self.sites))))

    def is_barrier(self, number: int) -> bool:
        """Whether a site may make threads of a warp or a block wait for each other."""
        return ordering_of(self.sites[number].known) is not OrderingLevel.NONE and not any(
            each.action.startswith("mbarrier") for each in self.syncs(number)
        )

    def threads(self, number: int) -> int:
        """Returns the threads that may execute a site, as a set with a bit for each."""
        found = self.participants.threads(self.sites[number])
        return -1 if found is None else found.threads

    def reached_from(self, block: int) -> frozenset[int]:
        """Returns the blocks that paths lead to from the end of a block."""
        return self._closure(block, with_back_edges=True)

    def goes_on_to(self, block: int) -> frozenset[int]:
        """Returns the blocks that paths lead to within the same iteration of all loops."""
        return self._closure(block, with_back_edges=False)

    def _closure(self, block: int, *, with_back_edges: bool) -> frozenset[int]:
        key = block, with_back_edges
        if key not in self._forward:
            back = frozenset() if with_back_edges else frozenset(self.graph.back_edges)
            following = without_edges(self.graph.successors, back)
            self._forward[key] = frozenset(reached(following(block), following))
        return self._forward[key]

    def may_follow(self, number: int, other: int) -> bool:
        """Whether a path leads from one site to another."""
        first, second = self.sites[number], self.sites[other]
        if first.block == second.block and first.found.start < second.found.start:
            return True
        return second.block in self.reached_from(first.block)

    def may_end(self, block: int) -> bool:
        """Whether a path from a block leads to the end of the function, and not to a `trap`."""
        leaves = self.graph.leaves
        return any(leaves.get(it) in _ENDS for it in {block, *self.reached_from(block)})

    def ends(self) -> list[int]:
        """Returns the blocks at whose end the function ends, other than with a `trap`."""
        return [block for block, opcode in self.graph.leaves.items() if opcode in _ENDS]

    def loop_between(self, number: int, other: int) -> int | None:
        """Returns the head of the loop whose next iteration has the second site.

        -1 if it is in the same iteration of all loops that have both; None if no path leads there.
        """
        first, second = self.sites[number], self.sites[other]
        if first.block == second.block and first.found.start < second.found.start:
            return -1
        key = first.block, second.block
        if key not in self._loops_between:
            self._loops_between[key] = self._find_loop(*key)
        return self._loops_between[key]

    def comes_first(self, number: int, other: int) -> bool:
        """Whether a path leads from one site to another within the same iteration of all loops."""
        return self.loop_between(number, other) == -1

    def _find_loop(self, first: int, second: int) -> int | None:
        """Returns the head of the loop whose next iteration leads to a block again."""
        if second in self.goes_on_to(first):
            return -1
        if second not in self.reached_from(first):
            return None
        inner = [each for each in self.loops_around(first) if second in each.blocks]
        return min(inner, key=lambda loop: len(loop.blocks)).head if inner else None

    def loops_around(self, block: int) -> tuple[Loop, ...]:
        """Returns the loops that contain a block."""
        if block not in self._loops:
            self._loops[block] = tuple(self.graph.loops_around(block))
        return self._loops[block]

    def is_same_barrier(self, number: int, other: int) -> bool:
        """Whether two sites surely use one barrier of a block, or that of the cluster."""
        one = self._barrier(number)
        return one == self._barrier(other) and one not in (None, _UNKNOWN_BARRIER)

    def may_be_same_barrier(self, number: int, other: int) -> bool:
        """Whether two sites may use one barrier."""
        both = self._barrier(number), self._barrier(other)
        return None not in both and (both[0] == both[1] or _UNKNOWN_BARRIER in both)

    def _barrier(self, number: int) -> int | None:
        """Returns the number of the barrier at a site; None for other instructions."""
        if number not in self._barriers:
            self._barriers[number] = self._find_barrier(self.sites[number])
        return self._barriers[number]

    def _find_barrier(self, site: EventSite) -> int | None:
        for each in site.syncs:
            if each.action in _CLUSTER_BARRIERS:
                return _CLUSTER_BARRIER
            if each.action in _BLOCK_BARRIERS:
                found = number_of(self.values, site, each.operand)
                return _UNKNOWN_BARRIER if found is None else found
        return None


def _matters(known: ShapeEvents | None) -> bool:
    if known is None:
        return True
    events = known.events
    return bool(events.syncs or events.completion) or any(
        each.space in _SHARED or each.space == "generic" or each.is_strong
        for each in events.accesses
    )


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def async_sites_of(uniformity: FunctionUniformity) -> AsyncSites:
    """Returns the sites of a function, of which there may be none."""
    return AsyncSites(uniformity)


def async_sites(function: Function, module: ModuleFacts) -> AsyncSites | None:
    """Returns the sites of a function; None if it has no asynchronous copies, or too much code."""
    if not has_copies(region_text(function)):
        return None
    uniformity = function_uniformity(function, module)
    found = async_sites_of(uniformity)
    return found if found.sites else None
