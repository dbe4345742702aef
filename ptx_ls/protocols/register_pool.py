"""Finds warpgroups that together want more registers than their block has.

Source: PTX ISA, "setmaxnreg".
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.protocol_sites import ProtocolSites
from ptx_ls.protocols.site_facts import SiteFacts, states_by_origin
from ptx_ls.protocols.site_steps import ENTRY, SiteFact, SiteSteps
from ptx_ls.semantics.directives.ignored_directives import gives_registers, most_registers
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind
from ptx_ls.threads.events.sites import number_of
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from ptx_ls.document.function import Function
    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

OPCODE: Final = "setmaxnreg"
_TAKES, _RELEASES = "take registers", "release registers"
_UNIT: Final = 8
"""Number of registers in a unit of allocation to a thread."""


class PoolShortage(NamedTuple):
    """Warpgroups that want more registers than there are.

    Attributes:
        site: an instruction that waits forever.
        wanted: the numbers of registers of the warpgroups at the end, in order.
        available: the number of registers of a thread at the start, at most.
        others: the other instructions.
    """

    site: EventSite
    wanted: tuple[int, ...]
    available: int
    others: tuple[EventSite, ...]


class ReversedChange(NamedTuple):
    """A `dec` to more registers than a warpgroup has, or an `inc` to fewer.

    `wanted`: the number in the instruction. `held`: the number of registers before it.
    """

    site: EventSite
    wanted: int
    held: int


class RegisterPool:
    """The changes of register counts in a kernel."""

    def __init__(self, uniformity: FunctionUniformity, context: Context) -> None:
        self._found = ProtocolSites(uniformity, (OPCODE, "call"))
        self.sites = self._found.sites
        head = next(uniformity.flow.text.of_kind(Kind.FUNCTION), None)
        text = "" if head is None else head.text
        self._most = _in_units(most_registers(text, context))
        self._held = self._most if gives_registers(text, context) else 0

    @cached_property
    def _is_closed(self) -> bool:
        """Whether it is a kernel without calls."""
        sites = range(len(self.sites))
        return self._found.is_kernel and not any(map(self._found.is_opaque, sites))

    def _count(self, number: int) -> int | None:
        """Returns the number of registers in an instruction."""
        for each in self._found.syncs(number):
            if each.action in (_TAKES, _RELEASES):
                return number_of(self._found.values, self.sites[number], each.argument)
        return None

    def shortage(self) -> PoolShortage | None:
        """Returns the shortage of a kernel in which each warpgroup changes its count once."""
        shape = self._found.participants.shape
        if not self._is_closed or not self._most or shape is None:
            return None
        groups = [*shape.groups(Level.WARPGROUP)]
        changes: list[int | None] = [None] * len(groups)
        for number, site in enumerate(self.sites):
            own = self._found.participants.threads(site)
            if own is None or own.together < Level.WARPGROUP:
                return None
            for at, group in enumerate(groups):
                if own.threads & group:
                    if changes[at] is not None or own.threads & group != group:
                        return None
                    changes[at] = number
        numbers = [each for each in changes if each is not None]
        wanted = [self._count(each) for each in numbers]
        counts = tuple(each for each in wanted if each is not None)
        if len(counts) < len(groups) or sum(counts) <= self._most * len(groups):
            return None
        taking = [each for each in numbers if _TAKES in self._found.actions(each)]
        if not taking:
            return None
        others = tuple(self.sites[each] for each in dict.fromkeys(numbers) if each != taking[-1])
        return PoolShortage(self.sites[taking[-1]], counts, self._most, others)

    def reversed_changes(self) -> list[ReversedChange]:
        """Returns the instructions that change a count in the other direction on every path."""
        if not self._is_closed or not self._held:
            return []
        facts = SiteFacts(
            self._found.values.graph,
            SiteSteps(self.sites, lambda _: None, self._after),
            (self._held,),
        )
        found = []
        for number, site in enumerate(self.sites):
            count = self._count(number)
            held = states_by_origin(facts.before(number)).get(ENTRY)
            if count is None or not held or 0 in held:
                continue
            is_taking = _TAKES in self._found.actions(number)
            if all(count < each if is_taking else count > each for each in held):
                found.append(ReversedChange(site, count, max(held) if is_taking else min(held)))
        return found

    def _after(self, fact: SiteFact, number: int) -> tuple[int, ...]:
        count = self._count(number) or 0
        return (fact.state, count) if self.sites[number].is_guarded else (count,)


def _in_units(count: int | None) -> int:
    return 0 if count is None else count // _UNIT * _UNIT


def register_pool(function: Function, module: ModuleFacts) -> RegisterPool:
    """Returns the register pool of a kernel."""
    return RegisterPool(function_uniformity(function, module), module.context)
