"""Control flow of a function: basic blocks, and which follow which.

Source: PTX ISA, "Control Flow Instructions" and "Control Flow Directives". Places are (line,
column), lines relative to the region, so that a graph stays true while other functions change.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.module import region_facts
from ptx_ls.semantics.module_names import module_names
from ptx_ls.semantics.region_text import RegionText, region_text
from ptx_ls.source import Position

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.places import Place

_GRAPH: Final = "flow graph"
_TEXT: Final = "region text"
"""Keys among what is kept with a region until an edit."""
_NO_RETURN: Final = ".noreturn"


@dataclass(slots=True)
class Block:
    """Statements that run one after the other, from `start` up to `stop`, which is behind them.

    `labels` are those that it begins with. `leaves`: the opcode by which its end leaves the
    function (`ret`, `exit`, `trap`, or a `call` that does not return), perhaps under a guard; ""
    if it does not. `is_open`: it branches to what is no label of the function.
    """

    number: int
    start: Place
    stop: Place
    labels: tuple[str, ...] = ()
    successors: list[int] = field(default_factory=list)
    predecessors: list[int] = field(default_factory=list)
    leaves: str = ""
    is_open: bool = False


@dataclass(frozen=True)
class Loop:
    """A natural loop: the block that it is entered by, and all of its blocks, that one included."""

    head: int
    blocks: frozenset[int]


@dataclass(frozen=True)
class FlowGraph:
    """The blocks of one function in the order of the text; the first one is where it begins.

    Empty for a region without a body. Immutable once made, so that any thread may read it.
    """

    blocks: tuple[Block, ...] = ()
    called: Mapping[str, bool] = field(default_factory=dict)
    """Functions whose results nobody takes, and whether calls of them do not come back."""

    @cached_property
    def _starts(self) -> list[Place]:
        return [block.start for block in self.blocks]

    def block_at(self, place: Place) -> Block | None:
        """The block that holds a place of the region; None outside of the body."""
        number = bisect_right(self._starts, place) - 1
        if number < 0 or place > self.blocks[-1].stop:
            return None
        return self.blocks[number]

    @cached_property
    def reachable(self) -> frozenset[int]:
        """Numbers of the blocks that control can come to; all, if a branch goes nobody knows where.

        A branch that is still being typed should not make what follows look dead.
        """
        found: set[int] = set()
        waiting = [0] if self.blocks else []
        while waiting:
            number = waiting.pop()
            if number not in found:
                found.add(number)
                waiting += self.blocks[number].successors
        if any(self.blocks[number].is_open for number in found):
            return frozenset(range(len(self.blocks)))
        return frozenset(found)

    @cached_property
    def back_edges(self) -> tuple[tuple[int, int], ...]:
        """Edges (from, to) that close a loop: they lead to a block on the way to where they begin.

        Found by a walk from the entry that prefers what comes first in the text.
        """
        found: list[tuple[int, int]] = []
        state: dict[int, int] = {}
        for root in range(len(self.blocks)):
            if root not in state:
                self._walk(root, state, found)
        return tuple(sorted(found))

    def _walk(self, root: int, state: dict[int, int], found: list[tuple[int, int]]) -> None:
        on_path, done = 1, 2
        path = [(root, iter(self.blocks[root].successors))]
        state[root] = on_path
        while path:
            number, rest = path[-1]
            for following in rest:
                known = state.get(following)
                if known == on_path:
                    found.append((number, following))
                elif known is None:
                    state[following] = on_path
                    path.append((following, iter(self.blocks[following].successors)))
                    break
            else:
                state[number] = done
                path.pop()

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """Natural loops by the place of their heads; those with one head are one."""
        bodies: dict[int, set[int]] = {}
        for tail, head in self.back_edges:
            body = bodies.setdefault(head, {head})
            waiting = [tail]
            while waiting:
                number = waiting.pop()
                if number not in body:
                    body.add(number)
                    waiting += self.blocks[number].predecessors
        return tuple(Loop(head, frozenset(bodies[head])) for head in sorted(bodies))


class FlowLines(NamedTuple):
    """The lines of a region that its flow graph depends on: their numbers and texts.

    `empty` are the numbers of lines that hold nothing, for a block begins where something stands.
    """

    numbers: list[int]
    texts: list[str]
    empty: list[int]


class _Kept(NamedTuple):
    """A graph and what it depends on; `end` is the region's where the closing brace is missing."""

    lines: FlowLines
    end: Place | None
    graph: FlowGraph


def kept_text(document: Document, index: int) -> RegionText:
    """The text of a region, copied once and kept until an edit; main thread only."""
    kept = document.outline.regions[index].facts
    text = kept.get(_TEXT)
    if not isinstance(text, RegionText) or text.start != document.outline.regions[index].start:
        text = kept[_TEXT] = region_text(document, index)
    return text


def flow_graph(document: Document, index: int) -> FlowGraph:
    """The flow graph of the region with that number; main thread only.

    Kept until an edit touches a line that has to do with it; others are compared, not read again.
    """
    from ptx_ls.semantics import flow_reader  # noqa: PLC0415  it makes these classes

    region = document.outline.regions[index]
    graph = region.facts.get(_GRAPH)
    known = region.stable.get(_GRAPH)
    if isinstance(graph, FlowGraph) and _is_true(graph, document):
        return graph
    text = kept_text(document, index)
    lines = flow_reader.flow_lines(text)
    end = (len(text.lines), len(text.lines[-1])) if region.close is None else None
    is_same = isinstance(known, _Kept) and known[:2] == (lines, end)
    if isinstance(known, _Kept) and is_same and _is_true(known.graph, document):
        graph = known.graph
    else:
        graph = flow_reader.read_flow(text, lines, partial(never_returns, document))
        region.stable[_GRAPH] = _Kept(lines, end, graph)
    region.facts[_GRAPH] = graph
    return graph


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
