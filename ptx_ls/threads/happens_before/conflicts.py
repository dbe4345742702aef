"""Finds accesses to shared memory by different threads that nothing orders.

Only what surely goes wrong is found: two threads of an example launch that both execute their
access, touch the same bytes, and meet no instruction on the way that may order them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.calls.call_sites import call_sites
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS, region_text
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.conflicting_accesses import BlocksOfAccesses
from ptx_ls.threads.happens_before.ordering import (
    only_arrives,
    only_waits,
    orders_blocks,
    orders_by_reading,
)
from ptx_ls.threads.happens_before.shared_accesses import (
    MANY_ACCESSES,
    SharedAccess,
    exchanges_data,
    shared_accesses,
)
from ptx_ls.threads.happens_before.waiting_sites import deciding_sites, waiting_sites
from ptx_ls.threads.launch_example.launch import LaunchExample, launch_examples
from ptx_ls.threads.uniformity.levels import LANES
from ptx_ls.values.function_values import function_values
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.happens_before.conflict_finder import AccessConflict, ConflictFinder
    from ptx_ls.values.function_values import FunctionValues

_DIMENSIONS: Final = (("%tid.y", "%ntid.y"), ("%tid.z", "%ntid.z"))
"""Special registers that matter to kernels whose blocks have two, or three, dimensions."""
_ROWS: Final = ("%tid.x", "%ntid.x", "%laneid")
"""Those that matter only if blocks have several threads in the first dimension."""
_OF_TWO_BLOCKS: Final = (BlocksOfAccesses.OWNER_AND_OTHER, BlocksOfAccesses.TWO_OTHERS)
_THREADS: Final = ("%tid", "%laneid")
"""Special registers by which threads differ."""


class _Given(NamedTuple):
    """The accesses of a function, the sites of these and of what may order, and the waits.

    `decisions`: the waits, with strong reads where their results decide; empty if there are none.
    `known`: if only some accesses are compared with those before them, these, and for each the one
    that it probably conflicts with.
    """

    sites: Sequence[EventSite]
    waits: Sequence[EventSite]
    decisions: Sequence[EventSite]
    accesses: Sequence[SharedAccess]
    known: Mapping[int, int] | None

    def finder(self, values: FunctionValues, launch: LaunchExample) -> ConflictFinder:
        """Returns a search in a launch."""
        from ptx_ls.threads.happens_before.conflict_finder import (  # noqa: PLC0415  for few kernels
            ComparedAccesses,
            ConflictFinder,
        )

        given = ComparedAccesses(self.accesses, self.arrivals, self.known)
        return ConflictFinder(values, launch, given)

    @property
    def arrivals(self) -> list[EventSite]:
        """The sites that only arrive."""
        return [each for each in self.sites if only_arrives(each.known)]

    def found_by(self, finder: ConflictFinder) -> tuple[AccessConflict, ...]:
        """Returns the conflicts in a launch, one for each second access."""
        found = [
            *finder.conflicts(self.waits),
            *finder.concurrent(self.sites, self.waits),
            *self._found_before_decisions(finder),
            *self._found_in_cluster(finder),
            *self._found_after_arrivals(finder),
        ]
        first = {each.second.number: each for each in reversed(found)}
        return tuple(each for _, each in sorted(first.items()))

    def _found_before_decisions(self, finder: ConflictFinder) -> Iterator[AccessConflict]:
        """Yields the conflicts after a strong read, but before its result decides anything."""
        if self.decisions:
            search = finder.anew(BlocksOfAccesses.ONE)
            yield from search.conflicts(self.decisions)
            yield from search.concurrent(self.sites, self.decisions)

    def _found_in_cluster(self, finder: ConflictFinder) -> Iterator[AccessConflict]:
        """Yields the conflicts with accesses to the memory of another block of the cluster."""
        if any(each.is_remote for each in self.accesses):
            waits = [each for each in self.waits if orders_blocks(each.known)]
            for blocks in _OF_TWO_BLOCKS:
                yield from finder.anew(blocks).conflicts(waits)

    def _found_after_arrivals(self, finder: ConflictFinder) -> Iterator[AccessConflict]:
        """Yields the conflicts of accesses after an arrival with those after the wait for it.

        On a path without an arrival, a wait does not order what comes before and after it.
        """
        handing_over = self._handing_over
        if not handing_over:
            return
        is_remote = any(each.is_remote for each in self.accesses)
        for blocks in BlocksOfAccesses if is_remote else (BlocksOfAccesses.ONE,):
            yield from finder.anew(blocks, is_after_arrival=True).conflicts(handing_over)

    @property
    def _handing_over(self) -> list[EventSite]:
        """The sites at which a thread may hand over to others, if other sites only wait."""
        waits = {each.found.start for each in self.waits if not only_waits(each.known)}
        arrivals = {each.found.start for each in self.arrivals}
        if not arrivals or len(waits) == len(self.waits):
            return []
        return [each for each in self.sites if each.found.start in waits | arrivals]


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _conflicts_of(
    values: FunctionValues, plain_functions: frozenset[str]
) -> tuple[AccessConflict, ...]:
    has_text = values.flow.has_text
    asked = [number for number, names in enumerate(_DIMENSIONS, 2) if any(map(has_text, names))]
    n_dimensions, has_rows = max(asked, default=1), any(map(has_text, _ROWS))
    launches = launch_examples(values.given.bounds, n_dimensions, has_rows=has_rows)
    if not all(_has_threads(values, each) for each in launches):
        return ()
    sites, accesses = shared_accesses(values)
    if not accesses:
        return ()
    if plain_functions:
        text = values.flow.text
        plain = {it.start for it, call in call_sites(text) if call.name.text in plain_functions}
        sites = [each for each in sites if each.found.start not in plain]
    waits = [*waiting_sites(values, sites)]
    has_reads = any(orders_by_reading(each.known) for each in waits)
    is_searched = has_reads and 0 < len(accesses) < MANY_ACCESSES
    places = [each.site.found.start for each in accesses]
    decisions = deciding_sites(values, waits, places) if is_searched else []
    found: dict[int, AccessConflict] | None = None
    for launch in launches:
        known = None if found is None else {it: each.first.number for it, each in found.items()}
        given = _Given(sites, waits, decisions, accesses, known)
        own = _conflicts_in(values, launch, given, is_only=len(launches) == 1)
        if own is not None:
            by_access = {each.second.number: each for each in own}
            found = by_access if found is None else _in_both(found, by_access)
        if found is not None and not found:
            break
    return tuple((found or {}).values())


def _has_threads(values: FunctionValues, launch: LaunchExample) -> bool:
    """Whether a launch is known in which the threads of a kernel may differ."""
    if launch.is_stated:
        return 1 < launch.n_threads <= MAX_THREADS
    return any(map(values.flow.has_text, _THREADS))


def _conflicts_in(
    values: FunctionValues, launch: LaunchExample, given: _Given, *, is_only: bool
) -> tuple[AccessConflict, ...] | None:
    """Returns the conflicts in a launch; None if the kernel is not made for it.

    `is_only`: whether there is no other launch, so that one with fewer threads may do instead.
    """
    finder = given.finder(values, launch)
    found = given.found_by(finder)
    has_all = given.known is not None and given.known.keys() <= {it.second.number for it in found}
    if launch.is_stated or not found or has_all:
        return found
    most = finder.largest_block()
    if most == launch.n_threads:
        return found
    if not is_only:
        return None
    if most > LANES:
        most -= most % LANES
    smaller = LaunchExample((most, 1, 1), is_stated=False)
    return given.found_by(given.finder(values, smaller)) if most else ()


def _in_both(
    found: dict[int, AccessConflict], others: dict[int, AccessConflict]
) -> dict[int, AccessConflict]:
    """Returns the accesses with conflicts in two launches, each with the less certain one."""
    return {
        number: min(each, others[number], key=lambda it: (it.crosses_warps, it.is_always))
        for number, each in found.items()
        if number in others
    }


def access_conflicts(function: Function, module: ModuleFacts) -> tuple[AccessConflict, ...]:
    """Returns conflicting accesses of a kernel, at most one for each second access; else none."""
    head = region_facts(function).function
    if head is None or head.kind is not SymbolKind.KERNEL:
        return ()
    if not exchanges_data(region_text(function)):
        return ()
    return _conflicts_of(function_values(function, module), module.plain_functions)
