"""Finds accesses to global memory before a grid has waited for those that it depends on.

Source: PTX ISA, "griddepcontrol".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.protocol_sites import MEETINGS, ProtocolSites
from ptx_ls.protocols.site_steps import ENTRY
from ptx_ls.threads.events.sites import address_of
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.function import Function
    from ptx_ls.protocols.violations import ProtocolViolation
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

OPCODE: Final = "griddepcontrol"
_WAIT: Final = "grid wait"
_OPCODES: Final = (OPCODE, "atom", "bar", "barrier", "call", "cp", "ld", "red", "st")
_DATA: Final = ("global", "generic")
_PROXY: Final = "generic"


def waits_for_grids(text: RegionText) -> bool:
    """Whether a function waits for earlier grids; a quick test."""
    return any(".wait" in each.opcode for each in text.shapes_of((OPCODE,)))


class DependentGrid:
    """A kernel that waits for the grids that it depends on.

    Attributes:
        sites: the statements that access memory or synchronise.
    """

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self._found = ProtocolSites(uniformity, _OPCODES)
        self.sites = self._found.sites
        self._reached: dict[int, frozenset[int]] = {}

    def violations(self) -> Iterator[ProtocolViolation]:
        """Yields the accesses that no wait comes before on any path."""
        if not self._found.is_kernel or not self._found.of_action(_WAIT):
            return
        yield from self._found.run("dependent_grids", [ENTRY], self._events).violations()

    def _events(self, number: int) -> Iterator[str]:
        actions = self._found.actions(number)
        if _WAIT in actions or (actions & MEETINGS and self._may_have_waited(number)):
            yield "wait"
        elif self._is_access(number):
            yield "access"

    def _may_have_waited(self, number: int) -> bool:
        """Whether another thread may have waited before a barrier."""
        block = self.sites[number].block
        return any(
            (self.sites[each].block == block and each < number)
            or block in self._reached_from(self.sites[each].block)
            for each in self._found.of_action(_WAIT)
        )

    def _reached_from(self, block: int) -> frozenset[int]:
        """Returns the blocks that paths lead to from the end of a block."""
        if block not in self._reached:
            found, waiting = set[int](), [block]
            while waiting:
                for to in self._found.values.graph.successors[waiting.pop()]:
                    if to not in found:
                        found.add(to)
                        waiting.append(to)
            self._reached[block] = frozenset(found)
        return self._reached[block]

    def _is_access(self, number: int) -> bool:
        """Whether a site accesses memory that a parameter points to."""
        site = self.sites[number]
        for event in site.known.events.accesses if site.known is not None else ():
            if event.space in _DATA and event.by == "address" and event.proxy == _PROXY:
                form = address_of(self._found.values, site, event.operand)
                base = None if form is None else form.base
                if base is not None and base.kind is TermKind.PARAMETER:
                    return True
        return False


def dependent_grid(function: Function, module: ModuleFacts) -> DependentGrid:
    """Returns what a kernel does before it waits for earlier grids."""
    return DependentGrid(function_uniformity(function, module))
