"""Finds warps that arrive twice at a named barrier in one phase.

Source: PTX ISA, "bar, barrier".
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.protocol_sites import ProtocolSites
from ptx_ls.threads.events.sites import number_of
from ptx_ls.threads.happens_before.ordering import OPCODES, OrderingLevel, ordering_of
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.function import Function
    from ptx_ls.protocols.violations import ProtocolViolation
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

_ARRIVE: Final = "barrier arrive"
_USES: Final = (_ARRIVE, "barrier sync", "barrier reduce")


class NamedBarriers:
    """The barriers of a function.

    Attributes:
        sites: the statements that may make threads wait for others.
    """

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self._found = ProtocolSites(uniformity, OPCODES)
        self.sites = self._found.sites

    @cached_property
    def violations(self) -> tuple[ProtocolViolation, ...]:
        """The proven violations, by barrier."""
        arrivals: dict[int, list[int]] = {}
        for number in self._found.of_action(_ARRIVE):
            barrier = self._barrier(number)
            if barrier is not None:
                arrivals.setdefault(barrier, []).append(number)
        found: list[ProtocolViolation] = []
        for barrier, origins in arrivals.items():
            events = partial(self._events, barrier)
            found += self._found.run("named_barriers", origins, events).violations()
        return tuple(found)

    def _barrier(self, number: int) -> int | None:
        """Returns the number of the barrier at a site."""
        for each in self._found.syncs(number):
            if each.action in _USES:
                return number_of(self._found.values, self.sites[number], each.operand)
        return None

    def _events(self, barrier: int, number: int) -> Iterator[str]:
        """Yields what a site does about the arrivals at a barrier."""
        actions = self._found.actions(number)
        if not actions.isdisjoint(_USES) and self._barrier(number) == barrier:
            yield "again"
        elif _ARRIVE not in actions and self._waits(number):
            yield "wait"

    def _waits(self, number: int) -> bool:
        return ordering_of(self.sites[number].known) is OrderingLevel.BLOCK


def named_barriers(function: Function, module: ModuleFacts) -> NamedBarriers:
    """Returns the barriers of a function."""
    return NamedBarriers(function_uniformity(function, module))
