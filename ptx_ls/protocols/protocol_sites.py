"""Finds the statements of a function that take part in a protocol, and who executes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.definition import ProtocolEvent, protocol
from ptx_ls.protocols.function_sites import FunctionSites
from ptx_ls.protocols.protocol_facts import UNKNOWN
from ptx_ls.protocols.violations import ProtocolRun
from ptx_ls.threads.events.sites import MBARRIER_ARRIVALS, event_sites, may_have_events

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

HANDING_OVER: Final = MBARRIER_ARRIVALS | {
    "barrier sync", "barrier arrive", "barrier reduce", "cluster arrive"
}  # fmt: skip
"""Acts that tell other threads that the thread has come so far."""
MEETINGS: Final = frozenset({"barrier sync", "barrier reduce", "cluster wait"})
"""Acts after which a thread knows that others have come so far."""
_MAX_SITES: Final = 1_000
"""Number of statements up to which a function is examined."""


class ProtocolSites(FunctionSites):
    """The statements of a function with some opcodes that synchronise or access memory."""

    def __init__(
        self,
        uniformity: FunctionUniformity,
        opcodes: Collection[str],
        is_wanted: Callable[[ShapeEvents | None], bool] = may_have_events,
        *,
        most: int = _MAX_SITES,
    ) -> None:
        """Finds the sites with some opcodes whose events are wanted; none if there are more."""
        super().__init__(uniformity)
        found = [*event_sites(self.values, opcodes, is_wanted)] if uniformity.is_known else []
        self.sites = tuple(found) if len(found) <= most else ()

    def actions(self, number: int) -> frozenset[str]:
        """Returns the acts of a site, also with their mechanism: `wait`, `wait tcgen05.ld`."""
        syncs = self.syncs(number)
        return frozenset(
            {each.action for each in syncs} | {f"{each.action} {each.of}" for each in syncs}
        )

    def completion(self, number: int) -> str:
        """Returns how a site completes; "" at once."""
        known = self.sites[number].known
        return "" if known is None else known.events.completion

    def of_action(self, *actions: str) -> list[int]:
        """Returns the sites with some acts."""
        return [
            number
            for number in range(len(self.sites))
            if not self.actions(number).isdisjoint(actions)
        ]

    def completing(self, how: str) -> list[int]:
        """Returns the sites that complete in some way."""
        return [number for number in range(len(self.sites)) if self.completion(number) == how]

    def run(
        self,
        name: str,
        origins: Collection[int],
        events_of: Callable[[int], Iterable[str]],
        relates: Callable[[int, int], bool] = lambda _, __: True,
        *,
        is_of_thread: bool = True,
    ) -> ProtocolRun:
        """Follows a protocol. `events_of`: the names of the events of a site."""
        events: Sequence[tuple[ProtocolEvent, ...]] = [
            (UNKNOWN,)
            if self.is_opaque(number)
            else tuple(ProtocolEvent(each) for each in events_of(number))
            for number in range(len(self.sites))
        ]
        return ProtocolRun(
            protocol(name),
            self.values.graph,
            self.sites,
            origins,
            events,
            participants=self.participants,
            relates=relates,
            is_of_thread=is_of_thread,
        )
