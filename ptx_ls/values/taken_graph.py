"""The flow graph of a function without the edges that no execution takes.

Compilers leave branches on constants in code that they do not optimise, as in `mov.pred %p1, 0;
@%p1 bra L;`. The code at such a label would look like a second path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.flow.flow_shape import FlowShape
from ptx_ls.flow.line_graph import GraphOfBlocks
from ptx_ls.flow.row_map import RowMap
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.semantics.instructions.effects import is_pure
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.function_input import FunctionInput

_MAX_BRANCHES: Final = 24
"""Number of branches of a function that is examined even if no predicate is set to a constant.

Compilers that leave branches on other constants in long functions set predicates to constants, too.
"""
_MOVE: Final = "mov"
_PREDICATE: Final = ".pred"
_MAX_DEPTH: Final = 16
"""Maximum number of instructions from a constant to a branch."""
Edge: TypeAlias = tuple[int, int]
"""The numbers of two blocks."""


class TakenGraph(GraphOfBlocks):
    """The blocks of a flow graph, with the same numbers, and a part of its edges."""

    def __init__(self, whole: FlowGraph, closed: AbstractSet[Edge]) -> None:
        """`closed`: the edges to leave out."""
        successors = [
            [each for each in following if (block, each) not in closed]
            for block, following in enumerate(whole.successors)
        ]
        shape = FlowShape(successors=successors, leaves=whole.leaves, opened=whole.opened)
        super().__init__(shape, RowMap(()))
        self._given = whole

    @property
    def _whole(self) -> FlowGraph:
        return self._given

    def lines(self, number: int) -> range:
        """Returns the lines of a block."""
        return self._whole.lines(number)

    def number_at(self, place: FunctionPosition) -> int | None:
        """Returns the number of the block that contains a place; None outside of the body."""
        return self._whole.number_at(place)


def taken_graph(given: FunctionInput, read: Callable[[int], AbstractValue]) -> FlowGraph:
    """Returns the flow graph of a function without the edges that no execution takes.

    `read`: returns the value that a use reads.
    """
    graph = given.flow.graph
    n_branches = sum(len(following) > 1 for following in graph.successors)
    if n_branches > _MAX_BRANCHES and not _has_constant_predicates(given.flow):
        return graph
    closed = frozenset(_closed_edges(given, read))
    return TakenGraph(graph, closed) if closed else graph


def _has_constant_predicates(flow: FunctionFlow) -> bool:
    """Whether an instruction writes a constant to a predicate."""
    moves = flow.text.shapes_of((_MOVE,))
    return any(_PREDICATE in each.opcode and len(each.identifiers) == 1 for each in moves)


def _closed_edges(given: FunctionInput, read: Callable[[int], AbstractValue]) -> Iterator[Edge]:
    """Yields the edges that a constant predicate excludes."""
    flow, search = given.flow, _ConstantSearch(given.flow)
    for block, following in enumerate(flow.graph.successors):
        use = given.guard_at_end(block) if len(following) > 1 else None
        if use is None or not search.is_constant(use):
            continue
        for each in following:
            fact = flow.edge_fact(block, each)
            known = read(use).constant if fact is not None else None
            if fact is not None and known is not None and bool(known) is not fact[1]:
                yield block, each


class _ConstantSearch:
    """The search for registers that are computed from constants alone.

    This takes much less time than to evaluate every predicate.
    """

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._known: dict[int, bool] = {}

    def is_constant(self, use: int, depth: int = _MAX_DEPTH) -> bool:
        """Whether the value that a use reads is computed from constants alone."""
        flow = self._flow
        only = flow.trace.only[flow.uses.codes[use]]
        if not depth or (only >= 0 and not self._is_computed(only, depth - 1)):
            return False  # this is faster than to look for the definition
        definition = flow.definition(use)
        return definition is not None and self._is_computed(definition, depth - 1)

    def _is_computed(self, write: int, depth: int) -> bool:
        if write not in self._known:
            self._known[write] = False  # in case it depends on itself
            self._known[write] = self._find_computed(write, depth)
        return self._known[write]

    def _find_computed(self, write: int, depth: int) -> bool:
        flow, uses = self._flow, self._flow.index.statement(write)
        record = record_of(flow, write)
        if not isinstance(record, Shape) or not is_pure(record):
            return False
        if len(record.identifiers) != len(uses):
            return False  # it names a variable or a special register
        read = [each for each in uses if flow.uses.ways[each] & READS]
        return all(self.is_constant(each, depth) for each in read)
