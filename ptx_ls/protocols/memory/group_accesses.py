"""Finds accesses that come too early after operations that complete in groups.

These are `cp.async`, whose destination is accessed, and bulk copies and `wgmma.mma_async`,
whose source is written.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.async_sites import SHARED
from ptx_ls.protocols.definition import Sureness
from ptx_ls.protocols.group_hazards import CP_ASYNC, group_hazards
from ptx_ls.protocols.memory.region_index import RegionIndex
from ptx_ls.protocols.site_pairs import SitePair, iterations_after, site_pairs
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.definition import HeldState, Misuse
    from ptx_ls.protocols.group_hazards import GroupHazards
    from ptx_ls.protocols.memory.regions import RegionOverlap, SharedRegion
    from ptx_ls.protocols.protocol_facts import ProtocolFacts
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol

_MAX_COMPARED: Final = 4_000
"""Number of pairs of an operation and an access that are compared."""
_N_AT_ENDS: Final = 2
"""Number of operations at the start and at the end of a batch that are compared."""
_MAX_VIEWS: Final = 16
"""Number of blocks for whose accesses the first visit is examined."""


class EarlyAccess(NamedTuple):
    """An access to shared memory that an operation still uses.

    Attributes:
        protocol: the name of the protocol of the operation.
        misuse: why it is wrong.
        sureness: whether it is wrong on all paths from the operation.
        operation, access: the statements.
        verb: `reads`, `writes` or `updates`; what the access does.
        symbol: the variable, if it is known.
        states: the states that the operation may have at the access, if they are wrong.
        threads: the thread that issued the operation, and the one that accesses; None if they
            are the same.
        is_around: whether the access is in the next iteration of a loop.
        has_barrier: whether a barrier is on a path from the operation to the access.
        is_owner: whether surely only threads that issued the operation do the access.
    """

    protocol: str
    misuse: Misuse
    sureness: Sureness
    operation: Found
    access: Found
    verb: str
    symbol: Symbol | None
    states: frozenset[str]
    threads: tuple[int, int] | None
    is_around: bool
    has_barrier: bool
    is_owner: bool

    @property
    def is_awaited(self) -> bool:
        """Whether the thread that issued the operation waits for it before the access."""
        return self.states == {"complete"}


class _Suspect(NamedTuple):
    """A site that comes after an operation, and is wrong if it accesses the same memory.

    `head`: the head of the loop in whose next iteration it is, as in `SitePair`. `states`: the
    states that the operation may have then.
    """

    number: int
    head: int
    states: AbstractSet[HeldState]


class _GroupAccess(NamedTuple):
    """An access with the memory that it names."""

    number: int
    event: AccessEvent
    region: SharedRegion


class _EarlyAccesses:
    """The accesses of a function that are wrong in some state of an earlier operation."""

    def __init__(self, sites: AsyncSites, hazards: GroupHazards) -> None:
        self._sites, self._hazards, self._pairs = sites, hazards, site_pairs(sites)
        self._is_write = hazards.protocol.name == CP_ASYNC
        self._word = "access" if self._is_write else "write"
        self._bad = hazards.protocol.misused(f"own {self._word}", f"other {self._word}")
        self._first_visits: dict[frozenset[tuple[int, int]], ProtocolFacts] = {}

    def found(self) -> Iterator[EarlyAccess]:
        """Yields the accesses that come too early, one of the surest for each operation."""
        n_left = _MAX_COMPARED
        for first, suspects in sorted(self._suspects().items()):
            operations = [*self._operations(first)]
            if not operations:
                continue
            uses = [each for one in suspects for each in self._with_regions(one)]
            members = [(use.region, iterations_after(one.head)) for one, use in uses]
            index = RegionIndex(self._sites.regions, members)
            for operation, region in operations:
                surest = None
                for place in index.near(region):
                    n_left -= 1
                    if n_left < 0:
                        return
                    found = self._compared(operation, region, *uses[place])
                    if found is not None and (surest is None or found.sureness > surest.sureness):
                        surest = found
                        if found.sureness is Sureness.PROVEN:
                            break
                if surest is not None:
                    yield surest

    def _suspects(self) -> dict[int, list[_Suspect]]:
        """Returns the sites that are wrong if they access the memory of an operation.

        They are in the order of the text, and belong to the first operation of each batch.
        """
        found: dict[int, list[_Suspect]] = {}
        for number in self._users() if self._hazards.operations else ():
            around = self._sites.loops_around(self._sites.sites[number].block)
            heads = {first: self._pairs.head(first, number) for first in self._hazards.batches}
            for head in (-1, *(loop.head for loop in around)):
                if head not in heads.values():
                    continue
                facts = self._hazards.facts(self._pairs.avoided(number, head))
                for first, states in facts.before(number).items():
                    is_bad = any(each.name in self._bad for each in states)
                    if is_bad and heads[first] == head:
                        found.setdefault(first, []).append(_Suspect(number, head, states))
        return found

    def _operations(self, first: int) -> Iterator[tuple[int, SharedRegion]]:
        """Yields the operations of a batch with the shared memory that they write or read.

        Of many, yields only some at both ends: their addresses take long to evaluate.
        """
        batch = self._hazards.batches[first]
        for number in (*batch[:_N_AT_ENDS], *batch[max(_N_AT_ENDS, len(batch) - _N_AT_ENDS) :]):
            for event in self._sites.accesses(number):
                if event.is_write == self._is_write and event.space == SHARED:
                    region = self._sites.regions.of_event(self._sites.sites[number], event)
                    if region is not None and region.symbol is not None:
                        yield number, region

    def _users(self) -> list[int]:
        """Returns the sites whose accesses must not come too early."""
        own, sites = {*self._hazards.operations}, self._sites
        return [
            number
            for number in range(len(sites.sites))
            if number not in own and any(map(self._counts, sites.accesses(number)))
        ]

    def _with_regions(self, suspect: _Suspect) -> Iterator[tuple[_Suspect, _GroupAccess]]:
        """Yields the accesses of a site that must not come too early, if their memory is known."""
        number, sites = suspect.number, self._sites
        for event in filter(self._counts, sites.accesses(number)):
            region = sites.regions.of_event(sites.sites[number], event)
            if region is not None and region.symbol is not None:
                yield suspect, _GroupAccess(number, event, region)

    def _counts(self, event: AccessEvent) -> bool:
        """Whether an access matters: any to what `cp.async` writes, writes to other sources."""
        if event.space == "generic" or event.by not in ("address", "descriptor"):
            return False
        return self._is_write or event.is_write

    def _compared(
        self, operation: int, region: SharedRegion, suspect: _Suspect, use: _GroupAccess
    ) -> EarlyAccess | None:
        if self._pairs.may_be_skipped(operation, use.number):
            return None
        pair = SitePair(operation, region, use.number, use.region, suspect.head)
        without = self._hazards.threads_of_others(operation, use.number)
        overlap = self._pairs.overlap(pair, without)
        return None if overlap is None else self._judged(operation, use, overlap, suspect)

    def _judged(
        self, operation: int, use: _GroupAccess, overlap: RegionOverlap, suspect: _Suspect
    ) -> EarlyAccess | None:
        sites, protocol = self._sites, self._hazards.protocol
        names = frozenset(each.name for each in suspect.states)
        first_names = self._first_names(operation, suspect) or names
        judged = {
            who: protocol.judge(f"{who} {self._word}", first_names)
            for who, is_possible in (("own", overlap.is_own), ("other", overlap.threads))
            if is_possible
        }
        who = max(judged, key=lambda it: judged[it], default="")
        if not who or judged[who] is Sureness.NONE:
            return None
        misuse = next(it for it in protocol.misuses if it.event == f"{who} {self._word}")
        return EarlyAccess(
            protocol.name,
            misuse,
            judged[who],
            sites.sites[operation].found,
            sites.sites[use.number].found,
            use.event.kind,
            use.region.symbol,
            first_names & misuse.states,
            None if who == "own" else overlap.threads,
            suspect.head >= 0,
            self._has_barrier(operation, use.number),
            self._is_owner(operation, use.number),
        )

    def _first_names(self, operation: int, suspect: _Suspect) -> frozenset[str]:
        """Returns the states of an operation when an access first follows; none if that is unclear.

        The access of a loop may follow again in later iterations, but to memory of newer ones.
        """
        sites = self._sites
        block = sites.sites[suspect.number].block
        if suspect.head < 0 or len(suspect.states) == 1 or sites.sites[operation].block == block:
            return frozenset()
        leaving = {(block, each) for each in sites.graph.successors[block]}
        edges = self._pairs.avoided(suspect.number, suspect.head) | leaving
        if edges not in self._first_visits:
            if len(self._first_visits) >= _MAX_VIEWS:
                return frozenset()
            self._first_visits[edges] = self._hazards.facts(edges)
        first = self._hazards.first_of(operation)
        held = self._first_visits[edges].before(suspect.number).get(first, set())
        return frozenset(each.name for each in held)

    def _is_owner(self, operation: int, use: int) -> bool:
        """Whether surely only threads that issued an operation execute a later statement."""
        sites = self._sites
        issuing = sites.threads(operation)
        is_known = bool(issuing) and sites.participants.is_exact(sites.sites[operation])
        return is_known and not sites.threads(use) & ~issuing

    def _has_barrier(self, operation: int, use: int) -> bool:
        """Whether a barrier is on a path from an operation to an access."""
        sites = self._sites
        return any(
            sites.may_follow(operation, number) and sites.may_follow(number, use)
            for number, site in enumerate(sites.sites)
            if ordering_of(site.known) is OrderingLevel.BLOCK
        )


@lru_cache(maxsize=2 * MAX_RECENT_FUNCTIONS)
def early_accesses(sites: AsyncSites, name: str) -> tuple[EarlyAccess, ...]:
    """Returns the accesses that come too early after operations in groups of a protocol."""
    return tuple(_EarlyAccesses(sites, group_hazards(sites, name)).found())


def first_proven(sites: AsyncSites, name: str) -> dict[str, EarlyAccess]:
    """Returns the first access to each variable that comes too early on all paths.

    The keys are the names of the variables; "" if the variable is not known.
    """
    found: dict[str, EarlyAccess] = {}
    for each in early_accesses(sites, name):
        if each.sureness is Sureness.PROVEN:
            found.setdefault("" if each.symbol is None else each.symbol.name, each)
    return found


def unfinished_accesses(sites: AsyncSites) -> Iterator[EarlyAccess]:
    """Yields the accesses that surely come before a `cp.async` to the same memory is complete.

    Copies that nothing waits for are left out, and so are those after whose wait no barrier comes
    at all: a barrier is missing then, whatever the access is ordered after.
    """
    unawaited = {it.copy.start for it in group_hazards(sites, CP_ASYNC).never_completed()}
    for each in early_accesses(sites, CP_ASYNC):
        is_barrier_missing = each.is_awaited and not each.has_barrier
        is_known = each.sureness is Sureness.PROVEN and each.operation.start not in unawaited
        if is_known and not is_barrier_missing:
            yield each
