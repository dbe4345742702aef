"""Finds instructions that threads of a warp execute together, where they may be divided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.threads.events.sites import event_sites
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

COLLECTIVES: Final = (
    "activemask", "elect", "ldmatrix", "match", "mma", "movmatrix", "redux", "shfl", "stmatrix",
    "vote", "wmma",
)  # fmt: skip
"""The opcodes of instructions that threads of a warp may have to execute together."""
_OF_WARPS: Final = frozenset({"members", "live warp", "warp"})
_MAX_EXAMINED: Final = 2_000
"""Number of statements up to which they are examined."""


def divided_collectives(uniformity: FunctionUniformity) -> list[EventSite]:
    """Returns the instructions of a warp that perhaps only a part of it executes, in order."""
    found = [*event_sites(uniformity.values, COLLECTIVES, _is_of_warp)]
    if len(found) > _MAX_EXAMINED:
        return []
    return [
        each
        for each in found
        if each.block in uniformity.control.reached and uniformity.surely(each.found) < Level.WARP
    ]


def _is_of_warp(known: ShapeEvents | None) -> bool:
    return known is not None and known.events.executed_by in _OF_WARPS
