"""Finds barriers and fences that order nothing, because others do so already.

A search from a barrier or fence follows all paths to the next statements that matter. A barrier or
fence is only found if it is needless on each path. All searches for one kind of statement together
take time in proportion to the function.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import event_sites, number_of
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.function import Function
    from ptx_ls.isa.memory_events import SyncEvent
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

BARRIERS: Final = ("bar", "barrier")
FENCES: Final = ("fence", "membar")
_PRIVATE: Final = frozenset({"const", "local", "param"})
"""State spaces of memory that no other thread writes."""
_CLOCKS: Final = ("%clock", "%globaltimer", "nanosleep")
"""Words of kernels that measure time: a barrier also orders that."""
_SCOPES: Final = ("cta", "cluster", "gpu", "sys")
_COVERS: Final = {
    "sc": {"sc", "acq_rel", "acquire", "release"},
    "acq_rel": {"acq_rel", "acquire", "release"},
    "acquire": {"acquire"},
    "release": {"release"},
}
"""The orders that each order of a fence includes."""
_MAX_SITES: Final = 400
"""Number of barriers and fences up to which a function is examined."""


class OrderingRole(Enum):
    """The threads or accesses that a statement orders."""

    BLOCK = auto()
    """A barrier of the whole block."""
    WARP = auto()
    """A barrier of threads of a warp."""
    FENCE = auto()
    """A fence of memory accesses."""
    PROXY = auto()
    """A fence between proxies."""


class NeedlessOrdering(NamedTuple):
    """A barrier or a fence that orders nothing.

    Attributes:
        found: the statement.
        role: what it would order.
        others: the statements that order the same: those before it, or those after it. None before
            it if nothing comes before it, and none after it if nothing comes after it.
        is_before: whether these are before it.
    """

    found: Found
    role: OrderingRole
    others: tuple[Found, ...]
    is_before: bool


class _OrderingAct(NamedTuple):
    """The effect of a barrier or a fence."""

    role: OrderingRole
    order: str
    scope: str
    proxy: str
    space: str
    mask: int | None

    def includes(self, other: _OrderingAct) -> bool:
        """Whether it orders all that another one would order next to it."""
        if self.role is OrderingRole.BLOCK:
            return other.role in (OrderingRole.BLOCK, OrderingRole.WARP) or (
                other.role is OrderingRole.FENCE and other.scope == "cta"
            )
        if self.role is not other.role:
            return False
        if self.role is OrderingRole.WARP:
            return self.mask is not None and self.mask == other.mask
        if self.role is OrderingRole.PROXY:
            return self[1:4] == other[1:4] and self.space in ("", other.space)
        is_as_wide = _SCOPES.index(self.scope) >= _SCOPES.index(other.scope)
        return other.order in _COVERS[self.order] and is_as_wide


def may_be_needless(text: RegionText, opcodes: tuple[str, ...]) -> bool:
    """Whether a function may have barriers or fences that order nothing; a quick test."""
    return text.has_opcodes(opcodes)


class _NeedlessFinder:
    """Searches from the barriers and fences of a kernel."""

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self._uniformity, self._values = uniformity, uniformity.values
        self._graph = uniformity.values.graph
        opcodes = {each.name for each in uniformity.flow.text.shapes}
        self._sites = [*event_sites(self._values, opcodes, _matters)]
        self._in_block: dict[int, list[int]] = {}
        for number, site in enumerate(self._sites):
            self._in_block.setdefault(site.block, []).append(number)
        found = {number: self._ordering(site) for number, site in enumerate(self._sites)}
        self._orderings = {number: each for number, each in found.items() if each is not None}

    def found(self) -> Iterator[NeedlessOrdering]:
        """Yields what orders nothing, in order."""
        if len(self._orderings) > _MAX_SITES:
            return
        needless = set[int]()
        for number, own in self._orderings.items():
            for is_before in (True, False):
                others = self._others(number, own, is_before=is_before)
                if others is not None and needless.isdisjoint(others):
                    needless.add(number)
                    named = tuple(self._sites[each].found for each in sorted(others))
                    yield NeedlessOrdering(self._sites[number].found, own.role, named, is_before)
                    break

    def _ordering(self, site: EventSite) -> _OrderingAct | None:
        """Returns what a barrier or fence does; None for anything else."""
        if site.known is None or site.known.events.accesses or len(site.known.events.syncs) != 1:
            return None
        (sync,) = site.known.events.syncs
        role = _role(sync)
        if role is None or (role is not OrderingRole.PROXY and sync.order not in _COVERS):
            return None
        if role is OrderingRole.BLOCK and self._uniformity.surely(site.found) < Level.CTA:
            return None
        mask = None
        if role is OrderingRole.WARP:
            mask = number_of(self._values, site, sync.argument)
        if role is OrderingRole.PROXY and sync.operand:
            return None
        return _OrderingAct(role, sync.order, sync.scope, sync.proxy, sync.space, mask)

    def _others(self, number: int, own: _OrderingAct, *, is_before: bool) -> set[int] | None:
        """Returns what makes a barrier or fence needless, on one side of it; None if it is not."""
        found, block = set[int](), self._sites[number].block
        for each, at in self._next(number, own, is_before=is_before):
            if each is None:
                is_end = self._is_end(own, at, is_before=is_before)
                if not is_end:
                    return None
                continue
            other = self._orderings.get(each)
            is_clear = other is not None and not self._sites[each].is_guarded
            if not is_clear or other is None or not other.includes(own):
                return None
            if own.role is OrderingRole.WARP and at != block:
                return None  # threads that a branch divided meet again here
            if not is_before and own.includes(other):
                return None  # the later one of two equal ones is reported
            if each == number:
                return None
            found.add(each)
        return found

    def _is_end(self, own: _OrderingAct, block: int, *, is_before: bool) -> bool:
        """Whether a search that ended at the start or the end of the kernel proves anything."""
        if own.role is OrderingRole.BLOCK:
            return is_before or block in self._graph.leaves
        return own.role is OrderingRole.FENCE and not is_before and block in self._graph.leaves

    def _next(
        self, number: int, own: _OrderingAct, *, is_before: bool
    ) -> Iterator[tuple[int | None, int]]:
        """Yields the next statements on all paths that matter to a barrier or fence.

        With each, yields its block. None is the start or the end of the function.
        """
        start = self._sites[number].block
        sites = self._in_block[start]
        at = sites.index(number)
        rest = sites[:at][::-1] if is_before else sites[at + 1 :]
        waiting, seen = [(start, rest)], set[int]()
        while waiting:
            block, rest = waiting.pop()
            stop = next((each for each in rest if self._stops(each, own)), None)
            if stop is not None:
                yield stop, block
                continue
            following = self._following(block, is_before=is_before)
            if self._is_border(block, is_before=is_before):
                yield None, block
            for each in following:
                if each not in seen:
                    seen.add(each)
                    own_sites = self._in_block.get(each, [])
                    waiting.append((each, own_sites[::-1] if is_before else own_sites))

    def _following(self, block: int, *, is_before: bool) -> Sequence[int]:
        graph = self._graph
        return (graph.predecessors if is_before else graph.successors)[block]

    def _is_border(self, block: int, *, is_before: bool) -> bool:
        """Whether the function begins before a block, or may end after it."""
        if is_before:
            return block == 0
        graph = self._graph
        return block in graph.leaves or block in graph.opened or not graph.successors[block]

    def _stops(self, number: int, own: _OrderingAct) -> bool:
        """Whether a statement matters to a barrier or fence next to it."""
        other = self._orderings.get(number)
        if other is None:
            return True
        if other.includes(own):
            return not self._sites[number].is_guarded
        # A barrier also orders fences, and what threads did before is a part of what fences order.
        return other.role is not own.role and (own.role, other.role) != (
            OrderingRole.BLOCK,
            OrderingRole.WARP,
        )


def _role(sync: SyncEvent) -> OrderingRole | None:
    match sync.action:
        case "barrier sync":
            return None if sync.argument else OrderingRole.BLOCK
        case "warp barrier":
            return OrderingRole.WARP
        case "fence":
            return None if sync.space else OrderingRole.FENCE
        case "proxy fence":
            return OrderingRole.PROXY
        case _:
            return None


def _matters(known: ShapeEvents | None) -> bool:
    """Whether an instruction does something that other threads may notice, or depend on."""
    if known is None:
        return True
    events = known.events
    syncs = {each.action for each in events.syncs} - {"prefetch", "cache hint", "exit"}
    shared = any(
        each.space not in _PRIVATE and each.proxy != "readonly" for each in events.accesses
    )
    return bool(syncs) or shared or events.executed_by != "thread"


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _orderings_of(uniformity: FunctionUniformity) -> tuple[NeedlessOrdering, ...]:
    return tuple(_NeedlessFinder(uniformity).found())


def needless_orderings(function: Function, module: ModuleFacts) -> tuple[NeedlessOrdering, ...]:
    """Returns the barriers and fences of a kernel that order nothing."""
    uniformity = function_uniformity(function, module)
    values = uniformity.values
    is_timed = any(map(values.flow.has_text, _CLOCKS))
    if not values.given.is_kernel or not uniformity.is_known or is_timed:
        return ()
    return _orderings_of(uniformity)
