"""The statements of a function that take part in protocols."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.protocols.participants import Participants

if TYPE_CHECKING:
    from ptx_ls.isa.memory_events import SyncEvent
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity


class FunctionSites:
    """Statements of a function that synchronise or access memory, in order.

    Attributes:
        values: the values in its registers.
        uniformity: which of its threads agree.
        participants: who executes its statements.
        sites: the statements; none if there are too many, or if nothing is known of the function.
    """

    sites: tuple[EventSite, ...]

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self.uniformity, self.values = uniformity, uniformity.values
        self.participants = Participants(uniformity)

    @property
    def is_kernel(self) -> bool:
        """Whether the function is a kernel, so that all of its threads are known."""
        return self.values.given.is_kernel

    def syncs(self, number: int) -> tuple[SyncEvent, ...]:
        """Returns the acts of a site besides its accesses; none if they are unknown."""
        return self.sites[number].syncs

    def is_opaque(self, number: int) -> bool:
        """Whether a site may do anything: it calls a function, or is not understood."""
        known = self.sites[number].known
        return known is None or any(each.action == "call" for each in known.events.syncs)
