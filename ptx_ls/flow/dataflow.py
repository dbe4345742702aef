"""The data flow of registers: where a value comes from, and where it goes.

Each query is about one register and examines only statements that use it, so it takes about as long
as a search of the function's text for the name. Positions are relative to the document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.recent_facts import recent_fact
from ptx_ls.document.statements import statement_at
from ptx_ls.flow.graphs import flow_graph
from ptx_ls.flow.registers.register_flow import RegisterFlow, Site, site_at
from ptx_ls.flow.registers.register_sites import Sites
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.source import Position, Range

MAX_USES: Final = 5000
"""Maximum number of uses of a register to count."""


class Reaching(NamedTuple):
    """The definitions of a register that may reach a place, in the order of the text.

    `definitions`: the ranges of the statements that write it. `from_entry`: whether a path from the
    entry has none of them, so that the register may be undefined, unless it is a parameter.
    """

    definitions: tuple[Range, ...] = ()
    from_entry: bool = False


class RegisterUsage(NamedTuple):
    """The numbers of writes and reads of a register in a function.

    `is_read` and `is_write`: whether a certain statement reads or writes it. `is_many`: whether
    there are more than `MAX_USES` uses, so that not all are counted.
    """

    n_writes: int
    n_reads: int
    is_read: bool = False
    is_write: bool = False
    is_many: bool = False


def reaching_definitions(analysis: Analysis, name: str, position: Position) -> Reaching:
    """Returns the definitions of a register that may reach the statement at a position.

    There are none if the name is not that of a register, or if the position is not in a body.
    """
    asked = _asked(analysis, name, position)
    if asked is None:
        return Reaching()
    found, from_entry = asked.flow.reaching(asked.place)
    return Reaching(_ranges(analysis.document, asked.number, found), from_entry)


def reached_uses(analysis: Analysis, name: str, position: Position) -> tuple[Range, ...]:
    """Returns the statements that may read the value written by the statement at a position."""
    asked = _asked(analysis, name, position)
    site = asked.flow.site_at(asked.place) if asked is not None else None
    if asked is None or site is None or not site.is_write:
        return ()
    return _ranges(analysis.document, asked.number, asked.flow.reached(site))


def usage(analysis: Analysis, name: str, position: Position) -> RegisterUsage:
    """Returns how the function at a position, and the statement there, use a register."""
    document, index = analysis.document, analysis.region_at(position)
    declared = _register(analysis, name, position)
    is_body = region_facts(document.leaf(index)).function is not None
    if declared is None or not (is_body or flow_graph(document, index).starts):
        return RegisterUsage(0, 0)
    place, kept = _before(analysis, index, position), _sites(document.leaf(index))
    sites = kept.some(name, declared.symbol, MAX_USES)
    here = site_at(kept.between(name, declared.symbol, place[0], place[0] + 1), place)
    return RegisterUsage(
        sum([site.is_write for site in sites]),
        sum([site.is_read for site in sites]),
        is_read=here is not None and here.is_read,
        is_write=here is not None and here.is_write,
        is_many=len(sites) > MAX_USES,
    )


def live_range(analysis: Analysis, name: str, position: Position) -> Iterator[Range]:
    """Yields the ranges in which the value of a register at a position is live, in order.

    This is the value that the statement there writes, or else the value that reaches it. Each range
    begins with a definition, or at the start of a block where the value is live.
    """
    asked = _asked(analysis, name, position)
    if asked is not None:
        located = analysis.document.functions[asked.number]
        for stretch in asked.flow.live_stretches(asked.place):
            yield located.range(*stretch)


class _FlowQuery(NamedTuple):
    """The flow of a register in a function, and the place that a query is about."""

    flow: RegisterFlow
    number: int
    place: FunctionPosition


def _asked(analysis: Analysis, name: str, position: Position) -> _FlowQuery | None:
    """Returns the flow of the register that a name means at a position; None for other names."""
    declared = _register(analysis, name, position)
    if declared is None:
        return None
    document, index = analysis.document, analysis.region_at(position)
    place = _before(analysis, index, position)
    function = region_facts(document.leaf(index)).function
    is_result = function is not None and declared.symbol in function.returns
    kept = _sites(document.leaf(index))
    sites = kept.of(name, declared.symbol)
    graph = flow_graph(document, index)
    if not graph.starts:
        return None
    key = name, declared.symbol.start
    known = kept.flows.get(key)
    if known is None or known.graph is not graph or known.returns is not is_result:
        known = kept.flows[key] = RegisterFlow(graph, sites, returns=is_result)
    return _FlowQuery(known, index, place)


def _register(analysis: Analysis, name: str, position: Position) -> LocatedSymbol | None:
    """Returns the register that a name means at a position; None for other names."""
    declared = analysis.lookup(name, position)
    return declared if declared is not None and declared.symbol.space == ".reg" else None


@recent_fact(MAX_RECENT_FUNCTIONS)
def _sites(function: Function) -> Sites:
    """Returns the uses of the registers of a function, which are found on demand."""
    return Sites(function, region_facts(function))


def _before(analysis: Analysis, index: int, position: Position) -> FunctionPosition:
    """Returns the start of the statement at a position, as a place in its function."""
    statement = statement_at(analysis.document, position)
    start = statement.start if statement is not None else position
    return analysis.document.functions[index].place(start)


def _ranges(document: Document, index: int, sites: Iterable[Site]) -> tuple[Range, ...]:
    located = document.functions[index]
    return tuple(located.range(site.start, site.end) for site in sites)
