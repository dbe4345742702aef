"""Finds scopes that include threads which surely cannot take part.

Source: PTX ISA, "Scope" and "Release and Acquire Patterns". An accumulated wait for all earlier
accesses costs more the wider the scope of a release or a fence is. Only other blocks of a cluster
can name the shared memory of a block, and only with the address that `mapa` or a modifier makes.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reached
from ptx_ls.threads.events.sites import event_sites
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.function import Function
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.function_values import FunctionValues

ACCESSING: Final = ("atom", "red", "st")
FENCES: Final = ("fence", "membar")
_SHARED: Final = "shared::cta"
_WIDE: Final = frozenset({"cluster", "gpu", "sys"})
_RELEASING: Final = frozenset({"acq_rel", "release"})
_OF_CLUSTERS: Final = ("cluster", "mapa")
"""Words without which no other block accesses the shared memory of a block."""
_OF_BLOCK: Final = frozenset({"const", "local", "param", "shared::cta"})
_FENCE: Final = "fence"
_MAX_FENCES: Final = 64


class ScopeReason(Enum):
    """Why a scope is wider than needed."""

    SHARED = auto()
    """The access is to shared memory, which only the block can access."""
    NOTHING_BEFORE = auto()
    """No access to memory that other blocks can reach precedes the fence."""
    NOTHING_AFTER = auto()
    """None follows it."""


class StrongScope(NamedTuple):
    """A release or a fence whose scope could be `.cta`. `scope`: what it is."""

    found: Found
    scope: str
    reason: ScopeReason


def _wide_scope(known: ShapeEvents | None) -> str:
    """Returns the wide scope of a fence or a release to shared memory, or ""."""
    if known is None:
        return ""
    scopes = [each.scope for each in known.events.accesses if _is_release(each)]
    scopes += [
        each.scope for each in known.events.syncs if each.action == _FENCE and not each.space
    ]
    return next((each for each in scopes if each in _WIDE), "")


def _is_release(event: AccessEvent) -> bool:
    return event.space == _SHARED and event.order in _RELEASING and event.is_write


def strong_scopes(function: Function, module: ModuleFacts) -> Iterator[StrongScope]:
    """Yields the releases and fences of a kernel whose scope could be `.cta`."""
    uniformity = function_uniformity(function, module)
    values = uniformity.values
    is_in_cluster = any(map(values.flow.has_text, _OF_CLUSTERS))
    if not values.given.is_kernel or not uniformity.is_known or is_in_cluster:
        return
    opcodes = {each.name for each in values.flow.text.shapes}
    sites = [*event_sites(values, opcodes)]
    for site in _releases(values):
        scope = _wide_scope(site.known)
        if site.known is not None and site.known.events.accesses:
            yield StrongScope(site.found, scope, ScopeReason.SHARED)
            continue
        reason = _reason(values.graph, site, sites)
        if reason is not None:
            yield StrongScope(site.found, scope, reason)


def _releases(values: FunctionValues) -> list[EventSite]:
    """Returns the releases and fences with a wide scope; none if there are many."""
    found = [*event_sites(values, (*ACCESSING, *FENCES), lambda known: bool(_wide_scope(known)))]
    return found if len(found) <= _MAX_FENCES else []


def _reason(graph: FlowGraph, fence: EventSite, sites: list[EventSite]) -> ScopeReason | None:
    """Returns why no thread outside of the block notices a fence; None if one may.

    All accesses to other memory have to be on one side of it, in all threads: each runs only after
    the fence, or only before it.
    """
    outside = [each for each in sites if _is_outside(each)]
    successors = graph.successors
    after = reached(successors[fence.block], successors.__getitem__)
    place = fence.found.start
    if fence.block in after and outside:
        return None
    dominators = graph.dominators
    if all(
        each.found.start > place
        if each.block == fence.block
        else dominators.dominates(fence.block, each.block)
        for each in outside
    ):
        return ScopeReason.NOTHING_BEFORE
    is_last = not any(
        each.found.start > place if each.block == fence.block else each.block in after
        for each in sites
    )  # the rule `needless-fence` reports it
    is_before = all(
        each.found.start < place
        if each.block == fence.block
        else each.block not in after and dominators.dominates(each.block, fence.block)
        for each in outside
    )
    return ScopeReason.NOTHING_AFTER if is_before and not is_last else None


def _is_outside(site: EventSite) -> bool:
    """Whether a statement may access memory that others than its block access."""
    known = site.known
    if known is None or any(each.action in _COMMUNICATING for each in known.events.syncs):
        return True
    return any(
        each.space not in _OF_BLOCK and each.proxy != "readonly" for each in known.events.accesses
    )


_COMMUNICATING: Final = frozenset({"call", "grid launch", "grid wait"})
"""Acts that may access other memory, or let other grids do so."""
