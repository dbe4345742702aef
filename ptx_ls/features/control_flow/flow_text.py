"""A function's flow graph with the text of its blocks, for pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.threads.divided_blocks import DividedBlock, divided_blocks
from ptx_ls.flow.graphs import flow_graph
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.guards import guard_of
from ptx_ls.syntax.labels import after_labels

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.document.document import Document
    from ptx_ls.flow.graph import Block, FlowGraph
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position
    from ptx_ls.syntax.guards import Guard

_PRAGMA: Final = ".pragma"
"""The only directive with an effect in a block; others declare, or name the source."""


class Flow(NamedTuple):
    """A function and its blocks, for a picture that any thread may draw.

    `start` is the line that it begins on; `lines` omits what precedes it on that line. `divided`:
    the blocks that perhaps only a part of a warp runs.
    """

    name: str
    graph: FlowGraph
    start: int
    lines: tuple[str, ...]
    divided: Mapping[int, DividedBlock]


def flow_at(analysis: Analysis, position: Position) -> Flow | None:
    """Returns the flow of the function at a position; None if there is no function with a body."""
    return flow_of(analysis.document, analysis.region_at(position))


def flow_of(document: Document, index: int) -> Flow | None:
    """Returns the flow of function `index`; None if it has no body."""
    graph = flow_graph(document, index)
    if not graph.starts:
        return None
    located = document.functions[index]
    lines = region_text(located.function).lines[: graph.stops[-1][0] + 1]
    divided = divided_blocks(document, index)
    return Flow(name_of(document, index), graph, located.first_line, tuple(lines), divided)


def name_of(document: Document, index: int) -> str:
    """Returns the name of function `index`; "" if it has none."""
    exports = region_facts(document.leaf(index)).exports
    return next((it.name for it in exports if it.is_function), "")


def block_lines(flow: Flow, block: Block) -> list[tuple[int, str]]:
    """Returns the lines of a block that are not blank, with their numbers from 1."""
    (first, column), (last, end) = block.start, block.stop
    found = []
    for number in range(first, min(last + 1, len(flow.lines))):
        line = flow.lines[number]
        line = line[:end] if number == last else line
        line = line[column:] if number == first else line
        if line.strip():
            found.append((flow.start + number + 1, line.strip()))
    return found


def instructions(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yields a block's lines without labels, comments, braces and declarations."""
    is_silent = False
    for number, line in lines:
        text = without_comments(line)
        text = after_labels(text) if ":" in text else text
        text = " ".join(text.split())
        if is_silent or (text.startswith(".") and not text.startswith(_PRAGMA)):
            # A list of labels may take several lines; `.loc` and `.file` end with their line.
            is_silent = ";" not in text and not text.startswith((".loc", ".file"))
        elif text.strip("{} ;"):
            yield number, text


def guard_at_end(lines: list[tuple[int, str]]) -> Guard | None:
    """Returns the guard of the last instruction of a block; None if it has none."""
    said = " ".join(text for _, text in instructions(lines))
    return guard_of(said.rstrip("; ").rpartition(";")[2].lstrip("{} "))
