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
from ptx_ls.semantics.stretches import kept_text, stretches
from ptx_ls.source import Position

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.semantics.flow_reader import Branch
    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.outline import Outline, Region
    from ptx_ls.syntax.places import Place

_GRAPH: Final = "flow graph"
"""Key among what is kept with a region until an edit."""
_NO_RETURN: Final = ".noreturn"
_MOST: Final = 1024
"""Functions whose graphs are kept through edits: those looked at last."""


class Block(NamedTuple):
    """Statements that run one after the other, from `start` up to `stop`, which is behind them.

    `labels` are those that it begins with. `leaves`: the opcode by which its end leaves the
    function (`ret`, `exit`, `trap`, or a `call` that does not return), perhaps under a guard; ""
    if it does not. `is_open`: it branches to what is no label of the function.
    """

    number: int
    start: Place
    stop: Place
    labels: tuple[str, ...]
    successors: Sequence[int]
    predecessors: Sequence[int]
    leaves: str
    is_open: bool


@dataclass(frozen=True)
class Loop:
    """A natural loop: the block that it is entered by, and all of its blocks, that one included."""

    head: int
    blocks: frozenset[int]

    @cached_property
    def ends(self) -> tuple[int, int]:
        """The first and the last block in the order of the text."""
        return min(self.blocks), max(self.blocks)


@dataclass(frozen=True)
class FlowGraph:
    """The blocks of one function in the order of the text; the first one is where it begins.

    Empty for a region without a body. Immutable once made, so that any thread may read it. A
    function has thousands of blocks and a question is about few, so no object is made of a block
    before it is asked for: `starts`, `stops` and `successors` have an item for each.
    """

    starts: list[Place] = field(default_factory=list)
    stops: list[Place] = field(default_factory=list)
    successors: Sequence[Sequence[int]] = ()
    labels: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    leaves: Mapping[int, str] = field(default_factory=dict)
    opened: AbstractSet[int] = frozenset()
    """Numbers of the blocks that branch to what is no label of the function."""
    called: Mapping[str, bool] = field(default_factory=dict)
    """Functions whose results nobody takes, and whether calls of them do not come back."""
    branches: tuple[Branch, ...] = field(default=(), compare=False)
    """By the blocks that they end."""

    def block(self, number: int) -> Block:
        """The block of that number."""
        return Block(
            number,
            self.starts[number],
            self.stops[number],
            self.labels.get(number, ()),
            self.successors[number],
            self.predecessors[number],
            self.leaves.get(number, ""),
            number in self.opened,
        )

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks."""
        return tuple(map(self.block, range(len(self.starts))))

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """Numbers of the blocks before each block, in order."""
        found: list[list[int]] = [[] for _ in self.starts]
        for number, following in enumerate(self.successors):
            for each in following:
                found[each].append(number)
        return found

    def number_at(self, place: Place) -> int | None:
        """The number of the block that holds a place of the region; None outside of the body."""
        number = bisect_right(self.starts, place) - 1
        if number < 0 or place > self.stops[-1]:
            return None
        return number

    def block_at(self, place: Place) -> Block | None:
        """The block that holds a place of the region; None outside of the body."""
        number = self.number_at(place)
        return None if number is None else self.block(number)

    @cached_property
    def reachable(self) -> frozenset[int]:
        """Numbers of the blocks that control can come to; all, if a branch goes nobody knows where.

        A branch that is still being typed should not make what follows look dead.
        """
        found: set[int] = set()
        waiting = [0] if self.starts else []
        while waiting:
            number = waiting.pop()
            if number not in found:
                found.add(number)
                waiting += self.successors[number]
        if not found.isdisjoint(self.opened):
            return frozenset(range(len(self.starts)))
        return frozenset(found)

    @cached_property
    def back_edges(self) -> tuple[tuple[int, int], ...]:
        """Edges (from, to) that close a loop: they lead to a block on the way to where they begin.

        Found by a walk from the entry that prefers what comes first in the text.
        """
        found: list[tuple[int, int]] = []
        state: dict[int, int] = {}
        for root in range(len(self.starts)):
            if root not in state:
                self._walk(root, state, found)
        return tuple(sorted(found))

    def _walk(self, root: int, state: dict[int, int], found: list[tuple[int, int]]) -> None:
        on_path, done = 1, 2
        successors = self.successors
        path = [(root, iter(successors[root]))]
        state[root] = on_path
        while path:
            number, rest = path[-1]
            for following in rest:
                known = state.get(following)
                if known == on_path:
                    found.append((number, following))
                elif known is None:
                    state[following] = on_path
                    path.append((following, iter(successors[following])))
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
                    waiting += self.predecessors[number]
        return tuple(Loop(head, frozenset(bodies[head])) for head in sorted(bodies))

    def loops_around(self, number: int) -> Iterator[Loop]:
        """The loops that a block belongs to; costs little where no branch leads back over it."""
        if any(after <= number for following in self.successors[number:] for after in following):
            for loop in self.loops:
                if number in loop.blocks:
                    yield loop


class FlowLines(NamedTuple):
    """The lines of a region that its flow graph depends on: their numbers and texts.

    `codes` has a byte for each line. `order`: those of these lines, and one wherever instructions
    stand before the first of them, between two, or behind the last: a block begins there. `called`:
    functions whose results nobody takes, and whether calls of them do not come back.
    """

    numbers: list[int]
    texts: list[str]
    order: bytes
    codes: bytes
    called: Mapping[str, bool]


class _Kept(NamedTuple):
    """A graph and what it depends on; `end` is the region's where the closing brace is missing."""

    lines: FlowLines
    end: Place | None
    graph: FlowGraph


def flow_graph(document: Document, index: int) -> FlowGraph:
    """The flow graph of the region with that number; main thread only.

    Kept until an edit touches a line that has to do with it; others are compared, not read again.
    """
    from ptx_ls.semantics import (  # noqa: PLC0415  they make these classes
        flow_codes,
        flow_edits,
        flow_reader,
    )

    region = document.outline.regions[index]
    graph = region.facts.get(_GRAPH)
    if isinstance(graph, FlowGraph) and _is_true(graph, document):
        return graph
    recent = _recent(document.outline)
    known = recent.pop(region, None)
    text = kept_text(document, index)
    returns_never = partial(never_returns, document)
    lines = flow_codes.flow_lines(text, stretches(document, index), returns_never)
    if not text.lines:
        return FlowGraph()
    end = (len(text.lines), len(text.lines[-1])) if region.close is None else None
    if known is not None and known.end == end and known.lines.called == lines.called:
        graph = flow_edits.edited(known.graph, known.lines, lines, is_closed=end is None)
    else:
        graph = None
    if graph is None:
        graph = flow_reader.read_flow(text, lines)
    recent[region] = _Kept(lines, end, graph)
    if len(recent) > _MOST:
        del recent[next(iter(recent))]
    region.facts[_GRAPH] = graph
    return graph


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
