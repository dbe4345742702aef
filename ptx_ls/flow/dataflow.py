"""Where the value of a register comes from, and where it goes.

Demand-driven: one register is looked at, at the statements of its function that use it, so the
costs are those of searching the function's text for its name. Places are the document's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.document.facts import recent_fact
from ptx_ls.document.statements import statement_at
from ptx_ls.flow.graphs import flow_graph
from ptx_ls.flow.register_flow import RegisterFlow, Site, site_at
from ptx_ls.flow.register_sites import Sites
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.source import Position, Range

MAX_USES: Final = 5000
"""Uses of a register that are counted and whose flow is followed."""


class Reaching(NamedTuple):
    """The definitions of a register that may reach a place, in the order of the text.

    `definitions` are the ranges of the statements that write it. `from_entry`: on some way none of
    them is met, so the register holds what it did when the function began: nothing, but for a
    parameter.
    """

    definitions: tuple[Range, ...] = ()
    from_entry: bool = False


class RegisterUsage(NamedTuple):
    """How often a function writes and reads a register, and what its statement at a place does.

    `is_read` and `is_write` are both False where the statement does not use it. `is_many`: it is
    used more than `MAX_USES` times, and only these are counted.
    """

    n_writes: int
    n_reads: int
    is_read: bool = False
    is_write: bool = False
    is_many: bool = False


def reaching_definitions(analysis: Analysis, name: str, position: Position) -> Reaching:
    """What may have written the register that the statement at a position reads.

    Nothing if the name is no register there, or if the place is in no body.
    """
    asked = _asked(analysis, name, position)
    if asked is None:
        return Reaching()
    found, from_entry = asked.flow.reaching(asked.place)
    return Reaching(_ranges(analysis.document, asked.region, found), from_entry)


def reached_uses(analysis: Analysis, name: str, position: Position) -> tuple[Range, ...]:
    """Statements that may read what the statement at a position writes into a register."""
    asked = _asked(analysis, name, position)
    site = asked.flow.site_at(asked.place) if asked is not None else None
    if asked is None or site is None or not site.is_write:
        return ()
    return _ranges(analysis.document, asked.region, asked.flow.reached(site))


def usage(analysis: Analysis, name: str, position: Position) -> RegisterUsage:
    """How the function at a position uses a register, and the statement there."""
    document, region = analysis.document, analysis.region_at(position)
    declared = _register(analysis, name, position)
    is_body = region_facts(document.leaf(region)).function is not None
    if declared is None or not (is_body or flow_graph(document, region).starts):
        return RegisterUsage(0, 0)
    place, kept = _before(analysis, region, position), _sites(document.leaf(region))
    sites = kept.some(name, declared.symbol, MAX_USES)
    here = site_at(kept.between(name, declared.symbol, place[0], place[0] + 1), place)
    return RegisterUsage(
        sum([site.is_write for site in sites]),
        sum([site.is_read for site in sites]),
        is_read=here is not None and here.is_read,
        is_write=here is not None and here.is_write,
        is_many=len(sites) > MAX_USES,
    )


def live_range(analysis: Analysis, name: str, position: Position) -> tuple[Range, ...]:
    """Stretches on which the value that a register has at a position is kept to be read.

    The value is the one that the statement there writes, else the one that reaches it. Each begins
    with a definition, or with a block that the value comes into.
    """
    asked = _asked(analysis, name, position)
    if asked is None:
        return ()
    found = asked.flow.live_stretches(asked.place)
    located = analysis.document.functions[asked.region]
    return tuple(located.range(*stretch) for stretch in found)


class _FlowQuery(NamedTuple):
    """The flow of a register in a region, and the place in it that a question is about."""

    flow: RegisterFlow
    region: int
    place: FunctionPosition


def _asked(analysis: Analysis, name: str, position: Position) -> _FlowQuery | None:
    """The flow of the register that a name means at a position; None if it is none there."""
    declared = _register(analysis, name, position)
    if declared is None:
        return None
    document, region = analysis.document, analysis.region_at(position)
    place = _before(analysis, region, position)
    function = region_facts(document.leaf(region)).function
    is_result = function is not None and declared.symbol in function.returns
    kept = _sites(document.leaf(region))
    sites = kept.of(name, declared.symbol)
    graph = flow_graph(document, region)
    if not graph.starts:
        return None
    key = name, declared.symbol.start
    known = kept.flows.get(key)
    if known is None or known.graph is not graph or known.returns is not is_result:
        known = kept.flows[key] = RegisterFlow(graph, sites, is_result)
    return _FlowQuery(known, region, place)


def _register(analysis: Analysis, name: str, position: Position) -> LocatedSymbol | None:
    """What a name means at a position, if that is a register."""
    declared = analysis.lookup(name, position)
    return declared if declared is not None and declared.symbol.space == ".reg" else None


@recent_fact(MAX_RECENT_FUNCTIONS)
def _sites(function: Function) -> Sites:
    """Where the registers of a function are used, found as they are asked for."""
    return Sites(function, region_facts(function))


def _before(analysis: Analysis, region: int, position: Position) -> FunctionPosition:
    """The place before the statement at a position, counted in its function."""
    statement = statement_at(analysis.document, position)
    start = statement.start if statement is not None else position
    return analysis.document.functions[region].place(start)


def _ranges(document: Document, region: int, sites: Iterable[Site]) -> tuple[Range, ...]:
    located = document.functions[region]
    return tuple(located.range(site.start, site.end) for site in sites)
