"""Finds pipelined loops whose last iterations commit no group, although their waits count groups.

A wait leaves the newest groups pending. If a loop commits a group only where it copies, the groups
of its last copies stay the newest ones, so no wait of the loop covers them.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.memory.ring_waits import (
    LoopMeeting,
    RingLoop,
    ShortWait,
    groups_in_loop,
    loop_accesses,
    meeting_distance,
    runs_each_time,
)
from ptx_ls.protocols.pipelined_loops import IterationPlaces
from ptx_ls.protocols.preceding_waits import left_pending
from ptx_ls.threads.launch_example.launch import LaunchExample
from ptx_ls.values.affine import TermKind
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.comparisons import HeldComparison

_OF: Final = "cp.async"
_BELOW: Final = "lt"
_STAYING: Final = (_BELOW, "ne")


def missed_groups(sites: AsyncSites) -> Iterator[ShortWait]:
    """Yields the first access in each loop to memory of a group that no wait of it covers."""
    forest = sites.graph.loop_forest
    heads = {forest.innermost(sites.sites[each].block) for each in sites.completing(_OF)}
    for head in sorted(heads - {-1}):
        found = _in_loop(sites, head)
        if found is not None:
            yield found


def _in_loop(sites: AsyncSites, head: int) -> ShortWait | None:
    shape = sites.participants.shape
    loop = _loop(sites, head)
    if loop is None or shape is None or shape.n_threads > MAX_THREADS:
        return None
    places = IterationPlaces(
        sites.values, head, LaunchExample(shape.sizes, is_stated=shape.is_stated)
    )
    n_last = _n_without_commit(sites, loop, places)
    for copy, (access, event) in product(loop.copies, loop_accesses(sites, _OF, loop)):
        if not n_last or not sites.participants.is_exact(sites.sites[copy]):
            return None
        met = LoopMeeting(copy, access, event)
        distance = meeting_distance(sites, places, met, is_read=False)
        if distance is not None and 0 < distance.first <= n_last and loop.wait is not None:
            one, other, wait = (sites.sites[each].found for each in (copy, access, loop.wait))
            return ShortWait(one, other, wait, event, distance.symbol, None, is_last=True)
    return None


def _loop(sites: AsyncSites, head: int) -> RingLoop | None:
    """Returns a loop that waits in each iteration, but commits only under some condition."""
    groups = groups_in_loop(sites, _OF, head)
    if groups is None:
        return None
    inside, copies, commits, waits = groups
    if len(commits) != 1 or len(waits) != 1 or commits == waits:
        return None
    (commit,), (wait,) = commits, waits
    block = sites.sites[commit].block
    is_alike = all(sites.sites[each].block == block and each < commit for each in copies)
    if not is_alike or not left_pending(sites, wait) or not runs_each_time(sites, wait, head):
        return None
    return RingLoop(head, inside, copies, commit, wait)


def _n_without_commit(sites: AsyncSites, loop: RingLoop, places: IterationPlaces) -> int:
    """Returns in how many last iterations a loop commits nothing; 0 if that is unknown."""
    if loop.commit is None or sites.sites[loop.commit].is_guarded:
        return 0
    blocks = sites.graph.loop_forest.blocks(loop.head)
    held = [
        each
        for condition in sites.values.conditions(sites.sites[loop.commit].found)
        if condition.edge is None or condition.edge.block in blocks
        for each in (condition.facts.comparisons if condition.facts.is_exact else (None,))
    ]
    own = held[0] if len(held) == 1 else None
    staying = places.staying
    if own is None or own.operator != _BELOW or len(staying) != 1:
        return 0
    return _difference(sites, own, staying[0], loop.head)


def _difference(sites: AsyncSites, own: HeldComparison, staying: HeldComparison, head: int) -> int:
    """Returns how many iterations before the last one a comparison holds for the last time."""
    if staying.operator not in _STAYING:
        return 0
    one, other = (_compared(sites, each, head) for each in (own, staying))
    if one is None or other is None or one.terms != other.terms:
        return 0
    step = next((times for term, times in one.terms if _counts(term, head)), 0)
    moved = one.offset - other.offset
    return 0 if step <= 0 or moved % step else max(0, moved // step + 1)


def _compared(sites: AsyncSites, held: HeldComparison, head: int) -> AffineForm | None:
    """Returns the left side of a comparison minus the right side, if only the left side counts."""
    values = sites.values
    left, right = (
        values.source_form(held.instruction, each, held.width) for each in (held.left, held.right)
    )
    if left is None or right is None or any(_counts(term, head) for term, _ in right.terms):
        return None
    negated = tuple((term, -times) for term, times in right.terms)
    if {term for term, _ in left.terms} & {term for term, _ in right.terms}:
        return None
    terms = tuple(sorted((*left.terms, *negated), key=str))
    return left._replace(terms=terms, offset=left.offset - right.offset)


def _counts(term: AffineTerm, head: int) -> bool:
    return term.kind is TermKind.COUNTER and term.head == head
