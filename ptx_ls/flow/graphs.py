"""The flow graphs of a document's functions: each is read once, until it is edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.graph import FlowGraph
from ptx_ls.flow.line_codes import called_in, codes_of, flow_lines, table_of
from ptx_ls.flow.reader import reading
from ptx_ls.semantics.symbols.module import SEMANTICS
from ptx_ls.semantics.symbols.module_names import module_names_in_steps, outer_facts_in_steps
from ptx_ls.semantics.symbols.region import RegionFacts
from ptx_ls.semantics.symbols.stretches import kept_text, stretches
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position
from ptx_ls.source.steps import ends_step, finished

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.offsets import Place
    from ptx_ls.syntax.outline import Region

_GRAPH: Final = "flow graph"
"""Key among what is kept with a region until an edit, and with the outline."""
_HEADS: Final = "heads of functions"
"""Key of where a region declares functions among what is kept with it until an edit."""
_FUNCTIONS: Final = (SymbolKind.FUNCTION, SymbolKind.KERNEL)
_NO_RETURN: Final = ".noreturn"


def flow_graph(document: Document, index: int) -> FlowGraph:
    """The flow graph of the region with that number; main thread only.

    Kept until an edit of the region, or of the heads of functions that it calls.
    """
    return finished(flow_graph_in_steps(document, index))


def flow_graph_in_steps(document: Document, index: int) -> Generator[None, None, FlowGraph]:
    """The same in steps, to be gone on with as long as the document is not edited."""
    outline = document.outline
    region = outline.regions[index]
    graph = region.facts.get(_GRAPH)
    if isinstance(graph, FlowGraph) and graph.called == (
        yield from _never_return(document, graph.called)
    ):
        return graph
    raw = codes_of(stretches(document, index), table_of(outline))
    if not raw:
        return FlowGraph()
    yield
    called = yield from _never_return(document, called_in(document.lines, region.start, raw))
    text = kept_text(document, index)
    graph = yield from reading(text, flow_lines(text, raw, called))
    former = region.former.pop(_GRAPH, None)
    if isinstance(former, FlowGraph) and former == graph:
        graph = former  # with what was found in it
    region.facts[_GRAPH] = graph
    return graph


def _never_return(
    document: Document, called: Iterable[str]
) -> Generator[None, None, dict[str, bool]]:
    """Whether each of these functions never returns. Yields after each."""
    found: dict[str, bool] = {}
    for name in called:
        found[name] = yield from _never_returns(document, name)
        yield
    return found


def _never_returns(document: Document, name: str) -> Generator[None, None, bool]:
    """Whether calls of a function do not come back, as its head or a declaration says."""
    names = yield from module_names_in_steps(document)
    for region in names.functions.get(name, ()):
        for line, column in (yield from _heads(document, region)).get(name, ()):
            statement = document.statement_at(Position(region.start + line, column))
            if statement is not None and _NO_RETURN in statement.text:
                return True
            yield
    return False


def _heads(document: Document, region: Region) -> Generator[None, None, dict[str, list[Place]]]:
    """Where a region declares functions for the module, by name; lines count from its start.

    Bodies are not read for that.
    """
    kept = region.facts.get(_HEADS)
    if isinstance(kept, dict):
        return kept
    index, facts = document.outline.index_of(region), region.facts.get(SEMANTICS)
    if not isinstance(facts, RegionFacts):
        if index is None:
            return {}
        facts = yield from outer_facts_in_steps(document, index)
        facts.module_scope.children.clear()  # else these facts would wait for the collector
    heads: dict[str, list[Place]] = {}
    for number, symbol in enumerate(facts.exports):
        if symbol.kind in _FUNCTIONS:
            heads.setdefault(symbol.name, []).append(symbol.start)
        if ends_step(number):
            yield
    region.facts[_HEADS] = heads
    return heads
