"""Finds the accesses of a kernel whose addresses are known for the lanes of its warps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import address_of, base_name, event_sites

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.lanes.lane_addresses import LaneAddresses, WarpAccess
    from ptx_ls.values.affine import AffineForm, Terms

_MAX_BASES: Final = 48
"""Number of different registers and variables at which addresses begin that are evaluated."""


class KnownAccess(NamedTuple):
    """An access with what each warp accesses in each launch that is examined.

    Attributes:
        site, event: the statement, and what it does.
        n_bytes: the bytes of a lane.
        launches: what each warp accesses in each launch.
        spans: the bytes that this access, and others whose addresses only differ in a constant,
            access; each span has its distance from the address, and its size.
    """

    site: EventSite
    event: AccessEvent
    n_bytes: int
    launches: tuple[tuple[WarpAccess, ...], ...]
    spans: frozenset[tuple[int, int]]


def known_accesses(
    lanes: LaneAddresses, opcodes: Collection[str], space: str
) -> Iterator[KnownAccess]:
    """Yields the accesses to a state space, in order.

    Of accesses whose addresses only differ in a constant, yields the first one of each size.
    """
    families: dict[Terms, list[_EvaluatedAccess]] = {}
    for each in _evaluated(lanes, opcodes, space):
        families.setdefault(each.form.terms, []).append(each)
    first: list[_EvaluatedAccess] = []
    for members in families.values():
        kinds: dict[tuple[object, ...], _EvaluatedAccess] = {}
        for each in members:
            kinds.setdefault((each.event, each.site.block, each.site.is_guarded), each)
        first += kinds.values()
    for each in sorted(first, key=lambda it: it.site.found.start):
        launches = tuple(tuple(it) for it in lanes.warps(each.site, each.event))
        if launches:
            members = families[each.form.terms]
            spans = {(it.form.offset - each.form.offset, it.n_bytes) for it in members}
            yield KnownAccess(each.site, each.event, each.n_bytes, launches, frozenset(spans))


class _EvaluatedAccess(NamedTuple):
    """An access with the form of its address."""

    site: EventSite
    event: AccessEvent
    n_bytes: int
    form: AffineForm


def _evaluated(
    lanes: LaneAddresses, opcodes: Collection[str], space: str
) -> Iterator[_EvaluatedAccess]:
    """Yields the accesses to a state space with forms, as far as their number is limited."""
    bases = set[str]()
    for site in event_sites(lanes.values, opcodes, _test(space)):
        for event in _own(site.known, space):
            name = base_name(site, event.operand)
            if name in bases or len(bases) < _MAX_BASES:
                bases.add(name)
                form = address_of(lanes.values, site, event.operand)
                if form is not None and form.terms and event.n_bytes is not None:
                    yield _EvaluatedAccess(site, event, event.n_bytes, form)


def _test(space: str) -> Callable[[ShapeEvents | None], bool]:
    return lambda known: any(_own(known, space))


def _own(known: ShapeEvents | None, space: str) -> Iterator[AccessEvent]:
    """Yields the accesses to a state space that the lanes do at once, each at its address."""
    if known is None or known.events.completion:
        return
    for each in known.events.accesses:
        if each.space == space and each.by == "address" and each.n_bytes is not None:
            yield each
