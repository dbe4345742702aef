"""The flow graph of a function as Graphviz draws it: its blocks with their text, loops told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.flow import flow_graph
from ptx_ls.semantics.module import region_facts
from ptx_ls.semantics.symbols import SymbolKind

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.flow import Block, FlowGraph
    from ptx_ls.source import Position

_FUNCTIONS: Final = (SymbolKind.FUNCTION, SymbolKind.KERNEL)
_MOST: Final = 24
"""Lines of one block that are shown; of a longer one those at its ends."""
_WIDTH: Final = 100
"""Characters of a line that are shown."""


class Flow(NamedTuple):
    """A function and its blocks, to be drawn on any thread. `start` is the line it begins on."""

    name: str
    graph: FlowGraph
    start: int
    lines: tuple[str, ...]


def flow_at(analysis: Analysis, position: Position) -> Flow | None:
    """The function around a position; None if there is none, or it has no body."""
    document = analysis.document
    index = analysis.region_at(position)
    graph = flow_graph(document, index)
    if not graph.blocks:
        return None
    start = document.outline.regions[index].start
    stop = start + graph.blocks[-1].stop[0] + 1
    exports = region_facts(document, index).exports
    name = next((it.name for it in exports if it.kind in _FUNCTIONS), "")
    return Flow(name, graph, start, tuple(document.lines[start:stop]))


def dot(flow: Flow, should_stop: Callable[[], bool]) -> str:
    """The graph in Graphviz' language, as far as it came before `should_stop` said so.

    A back edge is bold. What control cannot come to is dashed.
    """
    parts = [f"digraph {_quoted(flow.name or 'function')} {{\n"]
    parts.append('  node [shape=box, fontname="monospace"];\n')
    loops = {loop.head: len(loop.blocks) for loop in flow.graph.loops}
    back_edges = frozenset(flow.graph.back_edges)
    for block in flow.graph.blocks:
        if should_stop():
            break
        parts.append(_node(flow, block, loops.get(block.number, 0)))
        parts += _edges(block, back_edges)
    parts.append("}\n")
    return "".join(parts)


def _node(flow: Flow, block: Block, n_in_loop: int) -> str:
    first, last = (flow.start + place[0] + 1 for place in (block.start, block.stop))
    shown = _text(flow, block)
    if shown:
        first, last = shown[0][0], shown[-1][0]
    title = f"line {first}" if first == last else f"lines {first}-{last}"
    if n_in_loop:
        title += f", loop of {n_in_loop} blocks" if n_in_loop > 1 else ", loop of this block"
    dead = "" if block.number in flow.graph.reachable else ", style=dashed"
    label = "".join(f"{_escaped(line)}\\l" for line in (title, *_shortened(shown)))
    return f'  b{block.number} [label="{label}"{dead}];\n'


def _edges(block: Block, back_edges: Container[tuple[int, int]]) -> Iterator[str]:
    for following in block.successors:
        is_back = (block.number, following) in back_edges
        style = ' [label="loop", style=bold]' if is_back else ""
        yield f"  b{block.number} -> b{following}{style};\n"
    if block.leaves:
        yield f'  out{block.number} [label="{_escaped(block.leaves)}", shape=oval];\n'
        yield f"  b{block.number} -> out{block.number};\n"
    if block.is_open:
        yield f'  open{block.number} [label="unknown label", shape=plaintext];\n'
        yield f"  b{block.number} -> open{block.number};\n"


def _text(flow: Flow, block: Block) -> list[tuple[int, str]]:
    """The lines of a block where something stands, with their numbers from 1."""
    (first, column), (last, end) = block.start, block.stop
    found = []
    for number in range(first, min(last + 1, len(flow.lines))):
        line = flow.lines[number]
        line = line[:end] if number == last else line
        line = line[column:] if number == first else line
        if line.strip():
            found.append((flow.start + number + 1, line.strip()))
    return found


def _shortened(lines: list[tuple[int, str]]) -> Iterator[str]:
    half = _MOST // 2
    n_left_out = len(lines) - _MOST
    for number, (line, text) in enumerate(lines):
        if n_left_out > 0 and half <= number < half + n_left_out:
            if number == half:
                yield f"... {n_left_out} more lines"
            continue
        shown = text if len(text) <= _WIDTH else f"{text[:_WIDTH]}..."
        yield f"{line:>5}  {shown}"


def _escaped(text: str) -> str:
    plain = "".join(character if character.isprintable() else " " for character in text)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(name: str) -> str:
    return f'"{_escaped(name)}"'
