"""Finds broken protocols of clusters: their barrier, and the shared memory of other blocks.

Source: PTX ISA, "Cluster of Cooperative Thread Arrays", "barrier.cluster" and "mapa".
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.protocol_sites import ProtocolSites
from ptx_ls.protocols.site_steps import ENTRY
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.threads.events.remote_addresses import is_remote
from ptx_ls.threads.events.sites import MBARRIER_WAITS, address_of
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.function import Function
    from ptx_ls.protocols.violations import ProtocolViolation
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.values.affine import AffineForm

BARRIER: Final = ("barrier",)
MAPPING: Final = ("mapa",)
_OPCODES: Final = (
    "atom",
    "barrier",
    "call",
    "cp",
    "fence",
    "ld",
    "membar",
    "mbarrier",
    "red",
    "st",
)
_ARRIVE, _WAIT = "cluster arrive", "cluster wait"
_CLUSTER: Final = ".cluster"
_RELAXED: Final = "relaxed"
_REMOTE_SPACES: Final = ("shared::cluster", "generic")


def has_cluster_barrier(text: RegionText) -> bool:
    """Whether a function has a barrier of the cluster; a quick test."""
    return any(_CLUSTER in each.opcode for each in text.shapes_of(BARRIER))


class Clusters:
    """The accesses to other blocks of the cluster by the threads of a function.

    Attributes:
        sites: the statements that access memory or synchronise.
    """

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self._found = ProtocolSites(uniformity, _OPCODES)
        self.sites = self._found.sites

    @property
    def arrivals(self) -> list[FunctionPosition]:
        """The places where threads arrive at the barrier of the cluster."""
        return [self.sites[each].found.start for each in self._found.of_action(_ARRIVE)]

    @cached_property
    def violations(self) -> tuple[ProtocolViolation, ...]:
        """All proven violations, in the order of the protocols."""
        if not self._found.is_kernel:
            return ()
        found = *self._barriers(), *self._starts(), *self._publications(), *self._ends()
        return tuple(found)

    def _barriers(self) -> Iterator[ProtocolViolation]:
        arrivals, waits = self._found.of_action(_ARRIVE), self._found.of_action(_WAIT)
        run = self._found.run("cluster_barrier", [ENTRY], self._barrier_events)
        for each in run.violations():
            if each.number >= 0:
                yield each
            elif arrivals and not waits:  # else, some threads need not wait
                yield each._replace(number=arrivals[0])

    def _barrier_events(self, number: int) -> Iterator[str]:
        actions = self._found.actions(number)
        if _ARRIVE in actions:
            yield "arrive"
        if _WAIT in actions:
            yield "wait"

    @cached_property
    def _remote(self) -> frozenset[int]:
        """The sites that access the shared memory of another block, by an address of `mapa`."""
        return frozenset(
            number
            for number in range(len(self.sites))
            if any(map(self._is_remote, self._addresses(number)))
        )

    def _addresses(self, number: int) -> Iterator[AffineForm]:
        """Yields the addresses in a site that may be those of another block."""
        site = self.sites[number]
        if site.known is None:
            return
        events = site.known.events
        named = [
            *((each.operand, each.space) for each in events.accesses if each.by == "address"),
            *((each.operand, each.space) for each in events.syncs if each.operand),
        ]
        for operand, space in dict.fromkeys(named):
            if space in _REMOTE_SPACES:
                form = address_of(self._found.values, site, operand)
                if form is not None and form.is_mapped:
                    yield form

    def _is_remote(self, form: AffineForm) -> bool:
        """Whether an address may be in another block than the own one."""
        return is_remote(self._found.values, form, is_in_cluster=self._is_cluster_stated)

    @cached_property
    def _is_cluster_stated(self) -> bool:
        """Whether the kernel says that it is launched with clusters, or uses their barrier."""
        return bool(self._found.of_action(_ARRIVE, _WAIT))

    def _starts(self) -> Iterable[ProtocolViolation]:
        if not self._remote:
            return ()
        return self._found.run("cluster_start", [ENTRY], self._start_events).violations()

    def _start_events(self, number: int) -> Iterator[str]:
        if self._is_meeting(number):
            yield "meet"
        elif number in self._remote:
            yield "access"

    def _publications(self) -> Iterable[ProtocolViolation]:
        """Returns the accesses to what another block has written and not released.

        The blocks run the same code, so that block writes what this one does.
        """
        origins = [number for number in range(len(self.sites)) if self._writes_own(number)]
        if not self._remote or not any(map(self._is_relaxed, range(len(self.sites)))):
            return ()

        def relates(origin: int, number: int) -> bool:
            if number not in self._remote:
                return True
            own = self._variables(origin)
            return bool(own) and own == self._variables(number)

        run = self._found.run("cluster_publication", origins, self._publication_events, relates)
        return run.violations()

    def _publication_events(self, number: int) -> Iterator[str]:
        actions = self._found.actions(number)
        if self._is_relaxed(number):
            yield "relaxed"
        elif _ARRIVE in actions or "init fence" in actions or "fence" in actions:
            yield "publish"
        elif number in self._remote:
            yield "access"

    def _is_relaxed(self, number: int) -> bool:
        return any(
            it.action == _ARRIVE and it.order == _RELAXED for it in self._found.syncs(number)
        )

    def _writes_own(self, number: int) -> bool:
        """Whether a site writes to the shared memory of the own block."""
        known = self.sites[number].known
        if known is None or number in self._remote:
            return False
        is_init = "mbarrier init" in self._found.actions(number)
        return is_init or any(
            it.is_write and it.order == "weak" and it.space == "shared::cta"
            for it in known.events.accesses
        )

    def _variables(self, number: int) -> frozenset[Symbol]:
        """Returns the variables in shared memory that a site names."""
        site = self.sites[number]
        found: set[Symbol] = set()
        for each in site.known.events.accesses if site.known is not None else ():
            form = address_of(self._found.values, site, each.operand)
            base = None if form is None else form.base
            if base is not None and base.kind is TermKind.SYMBOL and base.symbol is not None:
                found.add(base.symbol)
        return frozenset(found)

    def _is_meeting(self, number: int) -> bool:
        """Whether a site may wait for another block."""
        return not self._found.actions(number).isdisjoint({_WAIT, *MBARRIER_WAITS})

    def _ends(self) -> Iterable[ProtocolViolation]:
        if not self._remote or self._may_wait_for_memory:
            return ()
        origins = [
            number
            for number in sorted(self._remote)
            if not any(each.action for each in self._found.syncs(number))
        ]
        return self._found.run("cluster_end", origins, self._end_events).violations()

    def _end_events(self, number: int) -> Iterator[str]:
        if self._is_meeting(number):
            yield "meet"

    @cached_property
    def _may_wait_for_memory(self) -> bool:
        """Whether a block may stay until another one has written to its memory."""
        return bool(self._found.of_action(*MBARRIER_WAITS)) or any(
            event.is_read and event.is_strong and not event.is_write
            for site in self.sites
            if site.known is not None
            for event in site.known.events.accesses
        )


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _clusters_of(uniformity: FunctionUniformity) -> Clusters:
    return Clusters(uniformity)


def clusters(function: Function, module: ModuleFacts) -> Clusters:
    """Returns what a function does with its cluster; the same object for the last functions."""
    return _clusters_of(function_uniformity(function, module))
