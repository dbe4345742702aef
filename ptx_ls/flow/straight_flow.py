"""Flows of a register that its own block tells, so that the function's graph is not read.

A function may be a million lines long, and what a user asks about is mostly near: a value that is
written, read and written over while control just goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.graph import FlowGraph
from ptx_ls.flow.line_codes import is_straight
from ptx_ls.flow.register_flow import RegisterFlow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.flow.register_sites import Site, Sites
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.places import Place

_SPANS: Final = (32, 512)
"""Lines before and behind a place that are searched, the few first."""


def near_flow(sites: Sites, name: str, symbol: Symbol, place: Place) -> RegisterFlow | None:
    """The flow of a register from the definition before a place to the one behind it.

    None if they are far away, or if control may come or go between. What happens outside of them
    is of no consequence for the values that the register has in between; the place itself is
    before the statement there, and may be the first definition's only if that reads nothing.
    """
    for span in _SPANS:
        first, stop = max(0, place[0] - span), place[0] + span + 1
        found = sites.between(name, symbol, first, stop)
        before = [n for n, site in enumerate(found) if site.kills and site.start < place]
        behind = [n for n, site in enumerate(found) if site.kills and site.start > place]
        if before and behind:
            return _of_block(sites, found[before[-1] : behind[0] + 1])
    return None


def whole_flow(sites: Sites, found: tuple[Site, ...], place: Place) -> RegisterFlow | None:
    """The flow of a register that one block uses alone, and writes before all else.

    `found` are all sites of the register. None if several blocks use it, or if the place is not
    among them.
    """
    if not found or found[0].is_read or not found[0].kills:
        return None
    if not found[0].start <= place <= found[-1].end:
        return None
    return _of_block(sites, found)


def _of_block(sites: Sites, found: Sequence[Site]) -> RegisterFlow | None:
    first, last = found[0].start, found[-1]
    if not is_straight(sites.stretches, sites.codes, first[0], last.start[0]):
        return None
    return RegisterFlow(FlowGraph([first], [last.end], [[]]), tuple(found))
