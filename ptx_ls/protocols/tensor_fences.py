"""Finds relaxed synchronisation that does not order operations on Tensor Memory.

Source: PTX ISA, "tcgen05.fence".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.protocol_sites import (
    MEETINGS,
    ProtocolSites,
)
from ptx_ls.protocols.tensor_memory import OPCODE
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.threads.events.sites import MBARRIER_ARRIVALS, MBARRIER_WAITS
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.function import Function
    from ptx_ls.protocols.violations import ProtocolViolation
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.threads.events.sites import MBARRIER_ARRIVALS, MBARRIER_WAITS
from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

_SYNCHRONISING: Final = ("barrier", "mbarrier")
_OPCODES: Final = (OPCODE, "bar", "call", "fence", "membar", *_SYNCHRONISING)
_RELAXED: Final = "relaxed"
_MARK: Final = ".relaxed"
_FENCES: Final = frozenset({"fence", "proxy fence", "fence before", "fence after"})
_ARRIVALS: Final = MBARRIER_ARRIVALS | {"cluster arrive"}
_OF_THREAD: Final = ("tcgen05.ld", "tcgen05.st")
"""How operations complete that no `tcgen05.commit` orders."""


def is_relaxed(text: RegionText) -> bool:
    """Whether a function has relaxed arrivals or waits; a quick test."""
    return any(_MARK in each.opcode for each in text.shapes_of(_SYNCHRONISING))


class TensorFences:
    """The operations of a function on Tensor Memory, and its synchronisation.

    Attributes:
        sites: these, with fences and calls.
    """

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self._found = ProtocolSites(uniformity, _OPCODES)
        self.sites = self._found.sites

    def violations(self) -> Iterator[ProtocolViolation]:
        """Yields operations that relaxed waits and arrivals do not order."""
        found = self._found
        numbers = range(len(self.sites))
        waits = [each for each in numbers if self._is_relaxed(each, MBARRIER_WAITS)]
        issued = [each for each in numbers if found.completion(each) in _OF_THREAD]
        if waits:
            yield from found.run("tensor_waits", waits, self._wait_events).violations()
        if any(self._is_relaxed(each, _ARRIVALS) for each in numbers):
            yield from found.run("tensor_arrivals", issued, self._arrival_events).violations()

    def _is_relaxed(self, number: int, actions: frozenset[str]) -> bool:
        syncs = [each for each in self._found.syncs(number) if each.action in actions]
        return bool(syncs) and all(each.order == _RELAXED for each in syncs)

    def _wait_events(self, number: int) -> Iterator[str]:
        actions = self._found.actions(number)
        is_wait = bool(actions & MBARRIER_WAITS) and not self._is_relaxed(number, MBARRIER_WAITS)
        if is_wait or actions & (_FENCES | MEETINGS):
            yield "order"
        if self._found.completion(number).startswith(OPCODE) or "free" in actions:
            yield "use"

    def _arrival_events(self, number: int) -> Iterator[str]:
        actions = self._found.actions(number)
        if self._is_relaxed(number, _ARRIVALS):
            yield "relaxed arrival"
        elif actions & (_FENCES | MEETINGS | _ARRIVALS):
            yield "order"


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _fences_of(uniformity: FunctionUniformity) -> TensorFences:
    return TensorFences(uniformity)


def tensor_fences(function: Function, module: ModuleFacts) -> TensorFences:
    """Returns the operations of a function on Tensor Memory; the same object for the last ones."""
    return _fences_of(function_uniformity(function, module))
