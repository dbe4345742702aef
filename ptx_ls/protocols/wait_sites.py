"""Finds the waits of a function for asynchronous operations, and the members of their groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import event_sites, number_of

if TYPE_CHECKING:
    from ptx_ls.isa.memory_events import SyncEvent
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.values.function_values import FunctionValues

OPCODES: Final = ("cp", "tcgen05", "wgmma")
_WAITS: Final = ("wait", "wait reads")
_MAX_SITES: Final = 400
"""Number of statements with memory events up to which a function is examined."""


def has_waits(text: RegionText) -> bool:
    """Whether a function waits for asynchronous operations; a quick test."""
    return any(".wait" in each.opcode for each in text.shapes_of(OPCODES))


class WaitSite(NamedTuple):
    """A wait that each thread executes if it gets there.

    `number`: its number among the sites. `n_pending`: how many groups it leaves pending. `closes`:
    whether it closes the open group first.
    """

    number: int
    sync: SyncEvent
    n_pending: int
    closes: bool

    @property
    def of(self) -> str:
        """How the operations complete that it waits for."""
        return self.sync.of

    def is_like(self, other: WaitSite) -> bool:
        """Whether it waits for the same event of the same operations as another wait."""
        is_same = (self.sync.action, self.of) == (other.sync.action, other.of)
        return is_same and self.closes >= other.closes


class WaitSites:
    """The statements of a function with memory events, and the waits among them.

    Attributes:
        values: the values of the function.
        sites: the statements; none if there are many.
        waits: the waits by their numbers among the sites, in order.
    """

    def __init__(self, values: FunctionValues) -> None:
        self.values = values
        opcodes = {each.name for each in values.flow.text.shapes}
        found = [*event_sites(values, opcodes)]
        self.sites = tuple(found) if len(found) <= _MAX_SITES else ()
        waits = map(self._wait, range(len(self.sites)))
        self.waits = {each.number: each for each in waits if each is not None}

    def _wait(self, number: int) -> WaitSite | None:
        site = self.sites[number]
        if site.known is None or site.is_guarded or site.known.events.accesses:
            return None
        waits = [each for each in site.known.events.syncs if each.action in _WAITS]
        if len(waits) != 1:
            return None
        (sync,) = waits
        n_pending = sync.amount
        if sync.argument:
            n_pending = number_of(self.values, site, sync.argument)
        closes = self.commits(number, sync.of)
        return None if n_pending is None else WaitSite(number, sync, n_pending, closes)

    def completes(self, number: int, of: str) -> bool:
        """Whether a site starts an operation that completes in some way."""
        known = self.sites[number].known
        return known is not None and known.events.completion == of

    def commits(self, number: int, of: str) -> bool:
        """Whether a site closes a group of such operations."""
        return any(it.action == "commit" and it.of == of for it in self.sites[number].syncs)
