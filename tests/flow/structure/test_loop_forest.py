"""Loops and how they nest, compared with a slow search of components within components."""

from __future__ import annotations

import networkx as nx
from hypothesis import given

from ptx_ls.flow.structure.loop_forest import NO_LOOP, LoopForest
from tests.flow.random_graphs import EDGES, as_networkx


def nested(graph: nx.DiGraph[int], forest: LoopForest, around: int, found: dict[int, int]) -> None:
    """Finds the head of the innermost loop around each block, with the heads that the forest chose.

    Each component is a loop; without its head, its components are the inner loops.
    """
    for component in nx.strongly_connected_components(graph):
        loop = graph.subgraph(component)
        if len(component) == 1 and not any(loop.has_edge(each, each) for each in component):
            continue
        # Blocks in the same loop have its head around them, and the head has that of the outer one.
        (head,) = {
            each
            for each in component
            if each in forest.heads
            and forest.around[each] == around
            and all(each in forest.heads_around(other) for other in component)
        }
        inner = loop.copy()
        inner.remove_node(head)
        found.update(dict.fromkeys(inner.nodes, head))
        nested(inner, forest, head, found)


@given(EDGES)
def test_loops_are_components_within_components(edges: list[list[int]]) -> None:
    forest = LoopForest(edges)
    graph = as_networkx(edges)
    expected = dict.fromkeys(graph.nodes, NO_LOOP)
    nested(graph, forest, NO_LOOP, expected)
    assert dict(enumerate(forest.around)) == expected
    for head in forest.heads:
        inside = {block for block in graph.nodes if head in forest.heads_around(block)}
        assert forest.blocks(head) == inside
        assert nx.is_strongly_connected(graph.subgraph(inside))
    for block in graph.nodes:
        assert forest.depth(block) == len(list(forest.heads_around(block)))


@given(EDGES)
def test_a_loop_that_only_its_head_enters_is_reducible(edges: list[list[int]]) -> None:
    forest = LoopForest(edges)
    graph = as_networkx(edges)
    reachable = nx.descendants(graph, 0) | {0}
    for head in forest.heads:
        if head in reachable:
            inside = forest.blocks(head)
            entered = {after for block in reachable - inside for after in edges[block]} & inside
            assert (head in forest.irreducible) == bool(entered - {head})


def test_blocks_of_shallow_loops_are_not_many() -> None:
    n_loops = 1_000
    heads = [[each + 1] for each in range(n_loops)]
    ends = [[n_loops + each + 1, n_loops - each - 1] for each in range(n_loops)]
    forest = LoopForest([*heads, *ends, []])
    assert len(forest.heads) == n_loops
    blocks = [forest.blocks(head) for head in forest.shallow_heads]
    assert len(blocks[0]) == 2 * n_loops
    assert sum(map(len, blocks)) < 100 * n_loops
