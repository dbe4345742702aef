"""Finds what may run between two places of a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.affine import AffineTerm, TermKind
from ptx_ls.values.code_place import ENTRY, CodePlace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.function_flow import FunctionFlow

_MAX_BLOCKS: Final = 512
"""Maximum number of blocks that are searched for a change of a value."""
_MAX_DEPTH: Final = 64
"""Maximum number of dominating blocks whose conditions are considered."""
MAX_EDGES: Final = 16
"""Maximum number of conditions at a place: the innermost ones."""


class BranchEdge(NamedTuple):
    """An edge of the flow graph that only runs if a predicate has a value.

    `code` and `value`: the register of the predicate, and its value.
    """

    block: int
    following: int
    code: int
    value: bool


class Paths:
    """The code that may run between two places, and the edges that surely run before one."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._between: dict[tuple[int, int, int], frozenset[int] | None] = {}
        self._edges: dict[int, tuple[BranchEdge, ...]] = {}

    def edges_before(self, block: int) -> tuple[BranchEdge, ...]:
        """Returns the edges on all paths to a block that a predicate decides, outermost first."""
        if block not in self._edges:
            self._edges[block] = tuple(reversed([*self._find_edges(block)][:MAX_EDGES]))
        return self._edges[block]

    def _find_edges(self, block: int) -> Iterator[BranchEdge]:
        blocks = self._flow.blocks
        dominators = blocks.dominators
        for _ in range(_MAX_DEPTH):
            if block < 0:
                return
            entering = [
                each
                for each in blocks.predecessors[block]
                if dominators.is_reached(each) and not dominators.dominates(block, each)
            ]
            if len(set(entering)) == 1:
                fact = self._flow.edge_fact(entering[0], block)
                if fact is not None:
                    yield BranchEdge(entering[0], block, *fact)
            block = dominators.parent[block]

    def is_same(self, term: AffineTerm, since: int, edge: BranchEdge | None, to: CodePlace) -> bool:
        """Whether a term has the same value at a place as at an instruction, given by a use of it.

        The instruction is on all paths to the edge, and the edge on all paths to the place. Without
        an edge, the instruction is on all paths to the place.
        """
        if term.is_stable:
            return True
        if edge is None:
            return self._is_kept(term, since, to)
        end = CodePlace(edge.block, self._flow.index.firsts[edge.block + 1])
        return self._is_kept(term, since, end) and self._is_kept_after(term, edge, to)

    def _is_kept(self, term: AffineTerm, since: int, to: CodePlace) -> bool:
        """Whether a term keeps its value from an instruction to a place."""
        start = self._flow.index.block_of(since)
        for block, use in self.changes(term):
            if start == to.block and since < to.use:
                if block == start and since < use < to.use:
                    return False
                continue
            between = self._blocks_between(start, -1, to.block)
            if between is None or block in between:
                return False
            if (block == start and use > since) or (block == to.block and use < to.use):
                return False
        return True

    def _is_kept_after(self, term: AffineTerm, edge: BranchEdge, to: CodePlace) -> bool:
        """Whether a term keeps its value from an edge to a place."""
        between = self._blocks_between(edge.block, edge.following, to.block)
        if between is None:
            return False
        return not any(
            block in between or (block == to.block and use < to.use)
            for block, use in self.changes(term)
        )

    def changes(self, term: AffineTerm) -> Iterator[tuple[int, int]]:
        """Yields the block and the use where a term may change: -1 for the start of the block."""
        if term.kind is TermKind.COUNTER:
            yield term.head, -1
        for factor in term.factors:
            yield from self.changes(factor)
        for each in term.definitions:
            if each != ENTRY:
                yield self._flow.index.block_of(each), each

    def _blocks_between(self, start: int, following: int, last: int) -> frozenset[int] | None:
        """Returns the blocks that may run as a whole between two blocks; None if too many.

        Without `following`, the search ends at the block `start`, else at the edge to `following`.
        """
        key = start, following, last
        if key not in self._between:
            self._between[key] = self._search(start, following, last)
        return self._between[key]

    def _search(self, start: int, following: int, last: int) -> frozenset[int] | None:
        found: set[int] = set()
        waiting = [last]
        predecessors = self._flow.blocks.predecessors
        while waiting:
            block = waiting.pop()
            for each in predecessors[block]:
                is_end = each == start and following in (-1, block)
                if not is_end and each not in found:
                    found.add(each)
                    waiting.append(each)
            if len(found) > _MAX_BLOCKS:
                return None
        return frozenset(found)
