"""Control flow of a function: basic blocks, and which follow which.

Source: PTX ISA, "Control Flow Instructions" and "Control Flow Directives". Places are (line,
column), lines relative to the region, so that a graph stays true while other functions change.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition


class Branch(NamedTuple):
    """A branch at the end of a block, and the scope that its label is looked for in."""

    block: int
    target: str
    scope: LabelScope
    is_indexed: bool


class LabelScope:
    """Labels and lists of labels of one `{ }`."""

    __slots__ = ("labels", "lists", "parent")

    def __init__(self, parent: LabelScope | None) -> None:
        self.parent = parent
        self.labels: dict[str, int] = {}
        self.lists: dict[str, tuple[str, ...]] = {}

    def find(self, name: str) -> int | None:
        """The block that a label of this scope, or one around it, begins."""
        return next((it.labels[name] for it in self._around() if name in it.labels), None)

    def find_list(self, name: str) -> tuple[LabelScope, tuple[str, ...]] | None:
        """The labels of a list, with the scope that they are named in."""
        return next(((it, it.lists[name]) for it in self._around() if name in it.lists), None)

    def _around(self) -> Iterator[LabelScope]:
        scope: LabelScope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent


class Block(NamedTuple):
    """Statements that run one after the other, from `start` up to `stop`, which is behind them.

    `labels` are those that it begins with. `leaves`: the opcode by which its end leaves the
    function (`ret`, `exit`, `trap`, or a `call` that does not return), perhaps under a guard; ""
    if it does not. `is_open`: it branches to what is no label of the function.
    """

    number: int
    start: FunctionPosition
    stop: FunctionPosition
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

    starts: list[FunctionPosition] = field(default_factory=list)
    stops: list[FunctionPosition] = field(default_factory=list)
    successors: Sequence[Sequence[int]] = ()
    labels: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    leaves: Mapping[int, str] = field(default_factory=dict)
    opened: AbstractSet[int] = frozenset()
    """Numbers of the blocks that branch to what is no label of the function."""
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

    def number_at(self, place: FunctionPosition) -> int | None:
        """The number of the block that holds a place of the region; None outside of the body."""
        number = bisect_right(self.starts, place) - 1
        if number < 0 or place > self.stops[-1]:
            return None
        return number

    def block_at(self, place: FunctionPosition) -> Block | None:
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
