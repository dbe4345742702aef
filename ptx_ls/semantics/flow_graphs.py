"""The flow graphs of a document's functions: each is read once, and mended after edits.

Those of large functions can be foreseen, and are packed then until somebody asks.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.flow import FlowGraph
from ptx_ls.semantics.flow_codes import called_in, codes_of, flow_lines, table_of, texts_of
from ptx_ls.semantics.flow_edits import edited
from ptx_ls.semantics.flow_packing import pack, unpack
from ptx_ls.semantics.flow_reader import read_flow, reading
from ptx_ls.semantics.module import region_facts
from ptx_ls.semantics.module_names import module_names
from ptx_ls.semantics.region_text import region_text
from ptx_ls.semantics.stretches import Stretch, kept_text, stretches
from ptx_ls.source import Position
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Generator

    from ptx_ls.semantics.flow import FlowLines
    from ptx_ls.semantics.region_text import RegionText
    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.outline import Outline, Region
    from ptx_ls.syntax.places import Place

_GRAPH: Final = "flow graph"
"""Key among what is kept with a region until an edit, and with the outline."""
_NO_RETURN: Final = ".noreturn"
_MOST: Final = 1024
"""Functions whose graphs are kept through edits: those looked at last."""
_FORESEEN: Final = range(2_000, 100_000)
"""Lines of functions whose graphs are worth being foreseen, and are read without a long pause."""


class _Kept(NamedTuple):
    """A graph, packed until it is asked for, and what it depends on.

    `codes` are those of the lines; `end` is the region's where the closing brace is missing.
    """

    codes: bytes
    lines: FlowLines
    end: Place | None
    graph: FlowGraph | bytes


def flow_graph(document: Document, index: int) -> FlowGraph:
    """The flow graph of the region with that number; main thread only.

    Kept until an edit touches a line that has to do with it; others are compared, not read again.
    """
    outline = document.outline
    region = outline.regions[index]
    recent = _recent(outline)
    graph = region.facts.get(_GRAPH)
    if isinstance(graph, bytes):
        graph = region.facts[_GRAPH] = unpack(graph)
        if region in recent:
            recent[region] = recent[region]._replace(graph=graph)
    if isinstance(graph, FlowGraph) and _is_true(graph, document):
        return graph
    text = kept_text(document, index)
    if not text.lines:
        return FlowGraph()
    codes = codes_of(stretches(document, index), table_of(outline))
    called = called_in(text, codes, partial(never_returns, document))
    kept = _mended(recent.pop(region, None), region, text, codes, called)
    if kept is None:
        lines = flow_lines(text, codes, called)
        kept = _Kept(codes, lines, _end(region, text), read_flow(text, lines))
    _keep(outline, region, kept)
    assert isinstance(kept.graph, FlowGraph)  # noqa: S101  for mypy
    return kept.graph


def _mended(
    known: _Kept | None,
    region: Region,
    text: RegionText,
    codes: bytes,
    called: dict[str, bool],
) -> _Kept | None:
    """A known graph as it is now; None if it has to be read again."""
    end = _end(region, text)
    if known is None or known.end != end or known.lines.called != called:
        return None
    graph = unpack(known.graph) if isinstance(known.graph, bytes) else known.graph
    if known.codes == codes and texts_of(text, known.lines.numbers) == known.lines.texts:
        return known._replace(graph=graph)
    lines = flow_lines(text, codes, called)
    mended = edited(graph, known.lines, lines, is_closed=end is None)
    return _Kept(codes, lines, end, mended) if mended is not None else None


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
            codes = codes_of((held,), table_of(outline))
            yield
            called = called_in(text, codes, partial(never_returns, document))
            lines = flow_lines(text, codes, called)
            yield
            graph = yield from reading(text, lines)
            _keep(outline, region, _Kept(codes, lines, _end(region, text), pack(graph)))
            yield


def _end(region: Region, text: RegionText) -> Place | None:
    return (len(text.lines), len(text.lines[-1])) if region.close is None else None


def _keep(outline: Outline, region: Region, kept: _Kept) -> None:
    recent = _recent(outline)
    recent[region] = kept._replace(lines=kept.lines._replace(codes=b""))  # nobody needs them again
    if len(recent) > _MOST:
        del recent[next(iter(recent))]
    region.facts[_GRAPH] = kept.graph


def _recent(outline: Outline) -> dict[Region, _Kept]:
    """The graphs of functions that were looked at, the last one last."""
    found = outline.derived.setdefault(_GRAPH, {})
    assert isinstance(found, dict)  # noqa: S101  for mypy
    return found


def _is_true(graph: FlowGraph, document: Document) -> bool:
    """Whether the functions that are called still return, or do not."""
    return all(never_returns(document, name) == known for name, known in graph.called.items())


def never_returns(document: Document, name: str) -> bool:
    """Whether calls of a function do not come back, as its head or a declaration says."""
    for region in module_names(document).functions.get(name, ()):
        index = document.outline.index_of(region)
        for symbol in region_facts(document, index).exports if index is not None else ():
            if symbol.name == name:
                line = region.start + region.present_line(symbol.start[0])
                statement = document.statement_at(Position(line, symbol.start[1]))
                if statement is not None and _NO_RETURN in statement.text:
                    return True
    return False
