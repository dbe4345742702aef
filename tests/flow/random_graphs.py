"""Random flow graphs, as lists of the successors of each block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence


def _edges(n_blocks: int) -> st.SearchStrategy[list[list[int]]]:
    following = st.lists(st.integers(0, n_blocks - 1), max_size=3, unique=True)
    return st.lists(following, min_size=n_blocks, max_size=n_blocks)


EDGES = st.integers(1, 9).flatmap(_edges)


def as_networkx(edges: Sequence[Sequence[int]]) -> nx.DiGraph[int]:
    """Returns the graph with these successors."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(edges)))
    graph.add_edges_from(
        (block, after) for block, following in enumerate(edges) for after in following
    )
    return graph
