"""The operations of a function that complete in groups.

These are `cp.async`, bulk copies from the memory of the block, and `wgmma.mma_async`, which reads
matrices there.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.batches import first_of_batch
from ptx_ls.protocols.definition import ProtocolEvent, Sureness, protocol
from ptx_ls.protocols.graph_view import without_edges
from ptx_ls.protocols.protocol_facts import UNKNOWN, UNRELATED, ProtocolFacts, ProtocolSteps
from ptx_ls.protocols.site_facts import StepLimit
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import number_of
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.semantics.symbols.region_text import Found

    Edges = frozenset[tuple[int, int]]

CP_ASYNC: Final = "cp_async"
BULK_GROUPS: Final = "bulk_groups"
MATRIX_GROUPS: Final = "matrix_groups"
_COMPLETIONS: Final = {CP_ASYNC: "cp.async", BULK_GROUPS: "bulk", MATRIX_GROUPS: "wgmma"}
"""How the operations of each protocol complete."""
_OF_THREAD: Final = ("commit", "wait", "wait reads")
"""Acts that are about the groups of the thread that executes them."""
_MAX_STEPS: Final = 150_000
"""Number of steps of all searches; unrolled pipelines of compilers need up to 80,000."""


class UnfinishedCopy(NamedTuple):
    """A copy whose group is never closed, or never waited for.

    Attributes:
        copy: the statement.
        n_copies: how many copies come one after another there.
        wait: a wait that comes after it, and does not cover it.
        is_committed: whether a commit may follow.
        skipped: a wait that comes after it, but that surely some of its threads do not execute.
    """

    copy: Found
    n_copies: int
    wait: Found | None
    is_committed: bool
    skipped: Found | None


class EarlyRelease(NamedTuple):
    """A release to global memory after a bulk copy whose destination may not be written.

    `copy`, `release`: the statements. `wait`: a wait with `.read` between them.
    """

    copy: Found
    release: Found
    wait: Found | None


class GroupHazards:
    """The operations of a function that complete in groups of one kind."""

    def __init__(self, sites: AsyncSites, name: str) -> None:
        self._sites, self.protocol = sites, protocol(name)
        self._of = _COMPLETIONS[name]
        self.operations = sites.completing(self._of)
        self._firsts = first_of_batch(self.operations, sites.are_in_one_block)
        self.batches: dict[int, list[int]] = {}
        for operation, first in self._firsts.items():
            self.batches.setdefault(first, []).append(operation)
        self._facts: dict[Edges, ProtocolFacts] = {}
        self._limit = StepLimit(_MAX_STEPS)
        self._acts = sites.doing(*(f"{each} {self._of}" for each in _OF_THREAD))
        self._events: dict[tuple[int, int], tuple[ProtocolEvent, ...]] = {}

    def first_of(self, operation: int) -> int:
        """Returns the first operation of the batch of an operation, for which there are facts."""
        return self._firsts[operation]

    def facts(self, edges: Edges) -> ProtocolFacts:
        """Returns the states of the operations on paths without some edges."""
        if edges not in self._facts:
            view = without_edges(self._sites.graph, edges)
            self._facts[edges] = ProtocolFacts(view, self._steps, self._limit)
        return self._facts[edges]

    @cached_property
    def _steps(self) -> ProtocolSteps:
        origins = {*self._firsts.values()}
        return ProtocolSteps(self.protocol, self._sites.sites, origins, self._events_of)

    def _events_of(self, origin: int, number: int) -> tuple[ProtocolEvent, ...]:
        key = origin, number
        if key not in self._events:
            self._events[key] = tuple(self._find_events(origin, number))
        return self._events[key]

    def _find_events(self, origin: int, number: int) -> Iterator[ProtocolEvent]:
        sites = self._sites
        if sites.is_opaque(number):
            yield UNKNOWN
            return
        first, site = sites.sites[origin], sites.sites[number]
        is_certain = sites.participants.executes_too(first, site)
        is_of_others = self.is_of_others(origin, number)
        if is_of_others:
            yield UNRELATED
        for sync in () if is_of_others else sites.syncs(number):
            if sync.of == self._of and sync.action in _OF_THREAD:
                word = "wait read" if sync.action == "wait reads" else sync.action
                amount = sync.amount
                if sync.argument:
                    amount = number_of(sites.values, site, sync.argument)
                yield ProtocolEvent(word, amount, is_certain)
            elif sync.of == self._of and sync.action.startswith("mbarrier track"):
                yield UNKNOWN
        # The threads that access the memory may all be in the warp of a barrier.
        is_of_warp = any(each.action == "warp barrier" for each in sites.syncs(number))
        if is_of_warp or ordering_of(site.known) is OrderingLevel.BLOCK:
            yield ProtocolEvent("barrier")

    def is_of_others(self, operation: int, number: int) -> bool:
        """Whether a site commits or waits, but surely not in all threads of an operation.

        It is about the groups of its own thread.
        """
        sites = self._sites
        syncs = sites.syncs(number)
        return any(it.of == self._of and it.action in _OF_THREAD for it in syncs) and (
            sites.participants.surely_skips(sites.sites[operation], sites.sites[number])
        )

    def threads_of_others(self, operation: int, use: int) -> int:
        """Returns the threads for which such a site is between an operation and an access."""
        sites, found = self._sites, 0
        for each in self._acts:
            is_between = sites.may_follow(operation, each) and sites.may_follow(each, use)
            if is_between and self.is_of_others(operation, each):
                found |= sites.threads(each)
        return found

    def never_completed(self) -> Iterator[UnfinishedCopy]:
        """Yields the copies of a kernel that no wait covers, or that no commit follows.

        Of copies that come after each other in a block, yields the first one.
        """
        sites = self._sites
        if not sites.is_closed:
            return
        commits = sites.doing(f"commit {self._of}")
        waits = sites.doing(
            f"wait {self._of}",
            f"wait reads {self._of}",
            f"mbarrier track {self._of}",
            f"mbarrier track uncounted {self._of}",
        )
        for copy in sorted({*self._firsts.values()}):
            if not sites.may_end(sites.sites[copy].block):
                continue
            later = [each for each in waits if sites.may_follow(copy, each)]
            is_committed = self._are_all_in(
                copy, [each for each in commits if sites.may_follow(copy, each)]
            )
            after = later if self._are_all_in(copy, later) else []
            tracked = [it for it in after if sites.is_tracking(it)]
            is_awaited = is_committed and bool(after)
            if tracked or (is_awaited and not self._pends_at_end(copy)):
                continue
            found = sites.sites[copy].found
            wait = sites.sites[after[0]].found if after else None
            n_copies = sum(each == copy for each in self._firsts.values())
            skipped = None if after or not later else sites.sites[later[0]].found
            yield UnfinishedCopy(found, n_copies, wait, is_committed, skipped)

    def _are_all_in(self, copy: int, acts: Sequence[int]) -> bool:
        """Whether each thread of a copy may execute one of some statements."""
        sites = self._sites.sites
        return bool(acts) and not self._sites.participants.surely_skips(
            sites[copy], *(sites[each] for each in acts)
        )

    def _pends_at_end(self, copy: int) -> bool:
        """Whether the last bulk copy of a statement surely pends when the kernel ends.

        Every wait that comes after it leaves its group.
        """
        sites = self._sites
        site = sites.sites[copy]
        is_repeated = all(
            sites.participants.runs_each_time(site, loop.blocks)
            for loop in sites.loops_around(site.block)
        )
        if self.protocol.name != BULK_GROUPS or not is_repeated:
            return False
        facts, names = self.facts(frozenset(sites.graph.back_edges)), set[str]()
        for block in sites.ends():
            names |= {each.name for each in facts.after_block(block).get(copy, ())}
        return self.protocol.judge("end", names) is Sureness.PROVEN

    def early_releases(self) -> Iterator[EarlyRelease]:
        """Yields the first release to global memory after each copy that may not be complete."""
        sites, reported = self._sites, set[int]()
        for number, site in enumerate(sites.sites) if self.operations else ():
            if site.known is None or not any(map(_is_release, site.known.events.accesses)):
                continue
            for copy, states in self.facts(frozenset()).before(number).items():
                names = frozenset(each.name for each in states)
                sureness = self.protocol.judge("release", names)
                if sureness is Sureness.PROVEN and copy not in reported:
                    reported.add(copy)
                    waits = [*self._reading_waits(copy, number)]
                    yield EarlyRelease(sites.sites[copy].found, site.found, next(iter(waits), None))

    def _reading_waits(self, copy: int, release: int) -> Iterator[Found]:
        sites = self._sites
        for each in sites.doing("wait reads bulk"):
            if sites.may_follow(copy, each) and sites.may_follow(each, release):
                yield sites.sites[each].found


def _is_release(event: AccessEvent) -> bool:
    """Whether an access tells other blocks that earlier ones are performed."""
    return (
        event.is_write
        and event.space in ("global", "generic")
        and event.order in ("release", "acq_rel")
        and event.scope in ("gpu", "sys", "cluster")
        and event.proxy == "generic"
    )


@lru_cache(maxsize=2 * MAX_RECENT_FUNCTIONS)
def group_hazards(sites: AsyncSites, name: str) -> GroupHazards:
    """Returns the copies of a function in groups of a protocol."""
    return GroupHazards(sites, name)
