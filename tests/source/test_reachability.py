"""Paths in random graphs, compared with what networkx finds."""

import random

import networkx as nx
import pytest

from ptx_ls.source.reachability import components, predecessors_of, reached, reversed_edges

SEEDS = range(30)


def check_graph(seed: int) -> None:
    """Compares all answers about a random graph."""
    chosen = random.Random(seed)  # noqa: S311  not for secrets
    n_nodes = chosen.randrange(1, 20)
    successors = [
        sorted(chosen.sample(range(n_nodes), chosen.randrange(min(n_nodes, 4))))
        for _ in range(n_nodes)
    ]
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(n_nodes))
    graph.add_edges_from((node, to) for node, after in enumerate(successors) for to in after)
    for node in graph:
        assert reached([node], successors.__getitem__) == nx.descendants(graph, node) | {node}
    assert predecessors_of(successors) == [sorted(graph.predecessors(node)) for node in graph]
    assert reversed_edges(dict(enumerate(successors))) == {
        node: before for node, before in enumerate(predecessors_of(successors)) if before
    }
    found = components(successors)
    assert sorted(map(sorted, found)) == sorted(
        map(sorted, nx.strongly_connected_components(graph))
    )
    place = {node: number for number, members in enumerate(found) for node in members}
    assert all(place[to] <= place[node] for node, to in graph.edges)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_graph(seed: int) -> None:
    check_graph(seed)


def test_a_path_may_be_as_long_as_the_graph() -> None:
    chain = [[node + 1] for node in range(10_000)] + [[]]
    assert len(reached([0], chain.__getitem__)) == len(chain)
    assert components(chain)[0] == [len(chain) - 1]
