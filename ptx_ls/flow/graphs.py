"""The flow graphs of a document's functions: each is read once, and mended after edits.

Those of large functions can be foreseen, and are packed then until somebody asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.flow.graph import FlowGraph
from ptx_ls.flow.graph_edits import edited
from ptx_ls.flow.line_codes import called_in, codes_of, flow_lines, table_of, texts_of
from ptx_ls.flow.packing import Packed
from ptx_ls.flow.reader import reading
from ptx_ls.semantics.symbols.module import SEMANTICS
from ptx_ls.semantics.symbols.module_names import module_names_in_steps, outer_facts_in_steps
from ptx_ls.semantics.symbols.region import RegionFacts
from ptx_ls.semantics.symbols.region_text import region_stop, region_text
from ptx_ls.semantics.symbols.stretches import Stretch, kept_text, stretches
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position
from ptx_ls.source.steps import ends_step, finished
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from ptx_ls.flow.graph import FlowLines
    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.outline import Outline, Region
    from ptx_ls.syntax.places import Place

_GRAPH: Final = "flow graph"
"""Key among what is kept with a region until an edit, and with the outline."""
_HEADS: Final = "heads of functions"
"""Key of where a region declares functions among what is kept with it until an edit."""
_FUNCTIONS: Final = (SymbolKind.FUNCTION, SymbolKind.KERNEL)
_NO_RETURN: Final = ".noreturn"
_MOST: Final = 1024
"""Functions whose graphs are kept through edits: those looked at last."""
_FORESEEN: Final = range(300, 100_000)
"""Lines of functions whose graphs are worth being foreseen, and are read without a long pause."""


class _Kept(NamedTuple):
    """A graph and what it depends on; `end` is the region's where the closing brace is missing."""

    lines: FlowLines
    end: Place | None
    graph: FlowGraph


def flow_graph(document: Document, index: int) -> FlowGraph:
    """The flow graph of the region with that number; main thread only.

    Kept until an edit touches a line that has to do with it; others are compared, not read again.
    """
    return finished(flow_graph_in_steps(document, index))


def flow_graph_in_steps(document: Document, index: int) -> Generator[None, None, FlowGraph]:
    """The same in steps, to be gone on with as long as the document is not edited."""
    outline = document.outline
    region = outline.regions[index]
    graph = region.facts.get(_GRAPH)
    known = _known(outline, region)
    if isinstance(graph, Packed) and known is not None:
        graph = region.facts[_GRAPH] = known.graph
    if isinstance(graph, FlowGraph) and graph.called == (
        yield from _never_return(document, graph.called)
    ):
        return graph
    raw = codes_of(stretches(document, index), table_of(outline))
    if not raw:
        return FlowGraph()
    yield
    called = yield from _never_return(document, called_in(document.lines, region.start, raw))
    end = _end(document, index)
    kept = None
    if known is not None and known.end == end and known.lines.called == called:
        kept = _mended(known, document, index, raw)
    if kept is None:
        text = kept_text(document, index)
        lines = flow_lines(text, raw, called)
        graph = yield from reading(text, lines)
        kept = _Kept(lines._replace(codes=b""), end, graph)
    region.facts[_GRAPH] = kept.graph
    _keep(outline, region, kept)
    return kept.graph


def _mended(known: _Kept, document: Document, index: int, raw: bytes) -> _Kept | None:
    """A known graph as it is now, with the same calls; None if it has to be read again."""
    lines, start = known.lines, document.outline.regions[index].start
    if lines.raw == raw and texts_of(document.lines, start, lines.numbers) == lines.texts:
        return known
    lines = flow_lines(kept_text(document, index), raw, lines.called)
    graph = edited(known.graph, known.lines, lines, is_closed=known.end is None)
    return _Kept(lines._replace(codes=b""), known.end, graph) if graph is not None else None


def foresee(document: Document) -> Generator[None, None, None]:
    """Reads the graphs of large functions, the largest first; main thread only.

    Yields every few milliseconds, to be gone on with as long as the document is not edited.
    """
    outline = document.outline
    sizes = [
        (outline.stop(index) - region.start, index)
        for index, region in enumerate(outline.regions)
        if region.kind is Kind.FUNCTION and region.close is not None
    ]
    for size, index in sorted(sizes, reverse=True):
        region = outline.regions[index]
        if size in _FORESEEN and region not in _recent(outline):
            text = region_text(document, index)
            yield
            held = Stretch(text.lines, text.records)  # what is kept of lines takes memory
            raw = codes_of((held,), table_of(outline))
            yield
            called = yield from _never_return(document, called_in(text.lines, 0, raw))
            lines = flow_lines(text, raw, called)
            yield
            graph = yield from reading(text, lines)
            packed = region.facts[_GRAPH] = Packed(graph, lines)
            _keep(outline, region, packed)
            yield


def _end(document: Document, index: int) -> Place | None:
    """Where a region ends whose closing brace is missing, counted in it; else None."""
    region = document.outline.regions[index]
    stop = region_stop(document, index)
    if region.close is not None:
        return None
    return stop - region.start, len(document.lines[stop - 1])


def _keep(outline: Outline, region: Region, kept: _Kept | Packed) -> None:
    recent = _recent(outline)
    recent.pop(region, None)
    recent[region] = kept
    if len(recent) > _MOST:
        del recent[next(iter(recent))]


def _known(outline: Outline, region: Region) -> _Kept | None:
    """What was kept of a region, unpacked from now on."""
    recent = _recent(outline)
    known = recent.get(region)
    if isinstance(known, Packed):
        graph, lines = known.unpack()
        known = recent[region] = _Kept(lines, None, graph)
    return known


def _recent(outline: Outline) -> dict[Region, _Kept | Packed]:
    """The graphs of functions that were looked at, the last one last."""
    found = outline.derived.setdefault(_GRAPH, {})
    assert isinstance(found, dict)  # noqa: S101  for mypy
    return found


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
    index, facts = document.outline.index_of(region), region.stable.get(SEMANTICS)
    present_line: Callable[[int], int] = region.present_line
    if not isinstance(facts, RegionFacts):
        if index is None:
            return {}
        facts, present_line = (yield from outer_facts_in_steps(document, index)), int
        facts.module_scope.children.clear()  # else these facts would wait for the collector
    heads: dict[str, list[Place]] = {}
    for number, symbol in enumerate(facts.exports):
        if symbol.kind in _FUNCTIONS:
            line, column = symbol.start
            heads.setdefault(symbol.name, []).append((present_line(line), column))
        if ends_step(number):
            yield
    region.facts[_HEADS] = heads
    return heads
