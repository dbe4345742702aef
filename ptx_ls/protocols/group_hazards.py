"""Finds accesses that come too early after copies that complete in groups.

These are `cp.async`, whose destination is accessed, and bulk copies, whose source is written.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.batches import first_of_batch
from ptx_ls.protocols.definition import ProtocolEvent, Sureness, protocol
from ptx_ls.protocols.graph_view import without_edges
from ptx_ls.protocols.protocol_facts import UNKNOWN, ProtocolFacts
from ptx_ls.protocols.site_pairs import site_pair
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import number_of
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.definition import HeldState, Misuse
    from ptx_ls.protocols.regions import RegionOverlap, SharedRegion
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol

    Edges = frozenset[tuple[int, int]]

CP_ASYNC: Final = "cp_async"
BULK_GROUPS: Final = "bulk_groups"
_MAX_COMPARED: Final = 4_000
"""Number of pairs of a copy and an access that are compared."""


class EarlyAccess(NamedTuple):
    """An access to shared memory that a copy still uses.

    Attributes:
        protocol: the name of the protocol of the copy.
        misuse: why it is wrong.
        sureness: whether it is wrong on all paths from the copy.
        copy, access: the statements.
        verb: `reads`, `writes` or `updates`; what the access does.
        symbol: the variable, if it is known.
        states: the states that the copy may have at the access, if they are wrong.
        threads: the thread that issued the copy, and the one that does the access; None if they
            are the same.
        is_around: whether the access is in the next iteration of a loop.
        has_barrier: whether a barrier is on a path from the copy to the access.
    """

    protocol: str
    misuse: Misuse
    sureness: Sureness
    copy: Found
    access: Found
    verb: str
    symbol: Symbol | None
    states: frozenset[str]
    threads: tuple[int, int] | None
    is_around: bool
    has_barrier: bool


class UnfinishedCopy(NamedTuple):
    """A copy whose group is never closed, or never waited for.

    Attributes:
        copy: the statement.
        n_copies: how many copies come one after another there.
        wait: a wait that comes after it, and does not cover it.
        is_committed: whether a commit may follow.
    """

    copy: Found
    n_copies: int
    wait: Found | None
    is_committed: bool


class EarlyRelease(NamedTuple):
    """A release to global memory after a bulk copy whose destination may not be written.

    `copy`, `release`: the statements. `wait`: a wait with `.read` between them.
    """

    copy: Found
    release: Found
    wait: Found | None


class _GroupAccess(NamedTuple):
    """An access with the memory that it names."""

    number: int
    event: AccessEvent
    region: SharedRegion


class GroupHazards:
    """The copies of a function that complete in groups of one kind."""

    def __init__(self, sites: AsyncSites, name: str) -> None:
        self._sites, self.protocol = sites, protocol(name)
        self._of = "cp.async" if name == CP_ASYNC else "bulk"
        self.copies = sites.completing(self._of)
        self._firsts = first_of_batch(self.copies, sites.are_in_one_block)
        self._facts: dict[Edges, ProtocolFacts] = {}
        self._events: dict[tuple[int, int], tuple[ProtocolEvent, ...]] = {}

    def facts(self, edges: Edges) -> ProtocolFacts:
        """Returns the states of the copies on paths without some edges."""
        if edges not in self._facts:
            view = without_edges(self._sites.graph, edges)
            origins = {*self._firsts.values()}
            self._facts[edges] = ProtocolFacts(
                self.protocol, view, self._sites.sites, origins, self._events_of
            )
        return self._facts[edges]

    def _events_of(self, origin: int, number: int) -> Sequence[ProtocolEvent]:
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
        for sync in sites.syncs(number):
            if sync.of == self._of and sync.action in ("commit", "wait", "wait reads"):
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

    def _region(self, number: int, *, is_write: bool) -> SharedRegion | None:
        """Returns the shared memory that a copy writes or reads."""
        site = self._sites.sites[number]
        for event in self._sites.accesses(number):
            if event.is_write == is_write and event.space == "shared::cta":
                return self._sites.regions.of_access(site, event)
        return None

    def early_accesses(self) -> Iterator[EarlyAccess]:
        """Yields the accesses that come too early, the first one for each copy."""
        if not self.copies:
            return
        is_write = self._of == "cp.async"
        uses = [*self._uses()]
        n_left = _MAX_COMPARED
        for copy in self.copies:
            region = self._region(copy, is_write=is_write)
            if region is None:
                continue
            for use in uses:
                n_left -= 1
                if n_left < 0:
                    return
                found = self._compared(copy, region, use)
                if found is not None:
                    yield found
                    break

    def never_completed(self) -> Iterator[UnfinishedCopy]:
        """Yields the copies of a kernel after which no wait, or no commit, can follow.

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
            is_committed = any(sites.may_follow(copy, each) for each in commits)
            after = [each for each in waits if sites.may_follow(copy, each)]
            tracked = [it for it in after if sites.is_tracking(it)]
            if (is_committed and after) or tracked:
                continue
            found = sites.sites[copy].found
            wait = sites.sites[after[0]].found if after else None
            n_copies = sum(each == copy for each in self._firsts.values())
            yield UnfinishedCopy(found, n_copies, wait, is_committed)

    def early_releases(self) -> Iterator[EarlyRelease]:
        """Yields the first release to global memory after each copy that may not be complete."""
        if not self.copies:
            return
        sites, facts = self._sites, self.facts(frozenset())
        reported = set[int]()
        for number, site in enumerate(sites.sites):
            if site.known is None or not any(map(_is_release, site.known.events.accesses)):
                continue
            for copy, states in facts.before(number).items():
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

    def _uses(self) -> Iterator[_GroupAccess]:
        """Yields the accesses that must not come too early."""
        sites = self._sites
        own = {*self.copies}
        for number, site in enumerate(sites.sites):
            if number in own:
                continue
            for event in sites.accesses(number):
                if not self._counts(event):
                    continue
                region = sites.regions.of_event(site, event)
                if region is not None and region.symbol is not None:
                    yield _GroupAccess(number, event, region)

    def _counts(self, event: AccessEvent) -> bool:
        """Whether an access matters: any to what `cp.async` writes, writes to a bulk source."""
        if event.space == "generic" or event.by not in ("address", "descriptor"):
            return False
        return self._of == "cp.async" or event.is_write

    def _compared(self, copy: int, region: SharedRegion, use: _GroupAccess) -> EarlyAccess | None:
        sites = self._sites
        pair = site_pair(sites, copy, region, use.number, use.region)
        if pair is None:
            return None
        states = self.facts(pair.avoided(sites)).before(use.number).get(self._firsts[copy])
        if not states:
            return None
        names = {each.name for each in states}
        kinds = [it for it in self.protocol.misuses if it.states & names]
        if not any(it.event.endswith(("access", "write")) for it in kinds):
            return None
        overlap = pair.overlap(sites)
        return None if overlap is None else self._judged(copy, use, overlap, states, pair.head)

    def _judged(
        self,
        copy: int,
        use: _GroupAccess,
        overlap: RegionOverlap,
        states: Iterable[HeldState],
        head: int,
    ) -> EarlyAccess | None:
        names = frozenset(each.name for each in states)
        word = "access" if self._of == "cp.async" else "write"
        has_barrier = self._has_barrier(copy, use.number)
        for who in ("own", "other"):
            if not (overlap.is_own if who == "own" else overlap.threads):
                continue
            event = f"{who} {word}"
            sureness = self.protocol.judge(event, names)
            if sureness is Sureness.NONE:
                continue
            misuse = next(it for it in self.protocol.misuses if it.event == event)
            bad = names & misuse.states
            return EarlyAccess(
                self.protocol.name,
                misuse,
                sureness,
                self._sites.sites[copy].found,
                self._sites.sites[use.number].found,
                use.event.kind,
                use.region.symbol,
                bad,
                None if who == "own" else overlap.threads,
                head >= 0,
                has_barrier,
            )
        return None

    def _has_barrier(self, copy: int, use: int) -> bool:
        """Whether a barrier is on a path from a copy to an access."""
        sites = self._sites
        return any(
            sites.may_follow(copy, number) and sites.may_follow(number, use)
            for number, site in enumerate(sites.sites)
            if ordering_of(site.known) is OrderingLevel.BLOCK
        )


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


@lru_cache(maxsize=2 * MAX_RECENT_FUNCTIONS)
def early_accesses(sites: AsyncSites, name: str) -> tuple[EarlyAccess, ...]:
    """Returns the accesses that come too early after copies in groups of a protocol."""
    return tuple(group_hazards(sites, name).early_accesses())
