"""A flow graph without some of its edges."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.flow.graph import FlowGraph


class SuccessorGraph(typing.Protocol):
    """The part of a flow graph, or of a view of one, that the states of operations need."""

    @property
    def successors(self) -> Sequence[Sequence[int]]:
        """The numbers of the blocks that follow each block."""

    @property
    def reachable(self) -> AbstractSet[int]:
        """The numbers of the blocks that may run."""


class GraphView(NamedTuple):
    """The blocks of a graph with the successors that are left."""

    successors: tuple[tuple[int, ...], ...]
    reachable: AbstractSet[int]


def without_edges(graph: FlowGraph, edges: AbstractSet[tuple[int, int]]) -> GraphView:
    """Returns a graph without some edges."""
    successors: Sequence[Sequence[int]] = graph.successors
    kept = tuple(
        tuple(to for to in following if (block, to) not in edges)
        for block, following in enumerate(successors)
    )
    return GraphView(kept, graph.reachable)


def closing_edges(
    graph: FlowGraph, block: int, kept_head: int | None = None
) -> frozenset[tuple[int, int]]:
    """Returns the back edges of the loops around a block, except those of one head."""
    heads = {each.head for each in graph.loops_around(block)} - {kept_head}
    return frozenset(edge for edge in graph.back_edges if edge[1] in heads)
