"""The flow graph of a function for Graphviz: its blocks with their text, and its loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.control_flow.flow_text import block_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from ptx_ls.features.control_flow.flow_text import Flow
    from ptx_ls.flow.graph import Block

_MAX_BLOCK_LINES: Final = 24
"""Maximum number of lines shown of a block; if it has more, the first and last are shown."""
_MAX_LINE_WIDTH: Final = 100
"""Maximum number of characters shown of a line."""


def dot(flow: Flow, should_stop: Callable[[], bool]) -> str:
    """Returns the graph in the DOT language; incomplete once `should_stop` returns true.

    Back edges are bold, unreachable blocks dashed.
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
    shown = block_lines(flow, block)
    if shown:
        first, last = shown[0][0], shown[-1][0]
    title = f"line {first}" if first == last else f"lines {first}-{last}"
    if n_in_loop:
        title += f", loop of {n_in_loop} blocks" if n_in_loop > 1 else ", loop of this block"
    if block.number in flow.divided:
        title += f", {flow.divided[block.number].note}"
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


def _shortened(lines: list[tuple[int, str]]) -> Iterator[str]:
    half = _MAX_BLOCK_LINES // 2
    n_left_out = len(lines) - _MAX_BLOCK_LINES
    for number, (line, text) in enumerate(lines):
        if n_left_out > 0 and half <= number < half + n_left_out:
            if number == half:
                yield f"... {n_left_out} more lines"
            continue
        shown = text if len(text) <= _MAX_LINE_WIDTH else f"{text[:_MAX_LINE_WIDTH]}..."
        yield f"{line:>5}  {shown}"


def _escaped(text: str) -> str:
    plain = "".join(character if character.isprintable() else " " for character in text)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(name: str) -> str:
    return f'"{_escaped(name)}"'
