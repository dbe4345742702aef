"""Dominators, post-dominators and control dependence, compared with slow definitions of them."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.flow.structure.dominators import (
    NONE,
    Dominators,
    control_dependence,
    dominators,
    plain_dominators,
    plain_post_dominators,
    post_dominators,
)
from ptx_ls.source.reachability import components
from tests.flow.random_graphs import EDGES, as_networkx


@given(EDGES)
def test_dominators_equal_those_of_networkx(edges: list[list[int]]) -> None:
    found = dominators(edges)
    expected = nx.immediate_dominators(as_networkx(edges), 0)
    for block in range(len(edges)):
        parent = expected.get(block)
        assert found.parent[block] == (NONE if parent in (None, block) else parent)


def check_same_tree(found: Dominators, expected: Dominators) -> None:
    blocks = range(len(expected.parent))
    assert [*found.parent] == [*expected.parent]
    assert [*map(found.is_reached, blocks)] == [*map(expected.is_reached, blocks)]
    for one in blocks:
        for other in blocks:
            assert found.dominates(one, other) == expected.dominates(one, other)


@given(EDGES, st.sets(st.integers(0, 7)))
def test_c_and_python_find_the_same(edges: list[list[int]], exits: set[int]) -> None:
    exits &= {*range(len(edges))}
    check_same_tree(dominators(edges), plain_dominators(edges))
    check_same_tree(post_dominators(edges, exits), plain_post_dominators(edges, exits))


@given(EDGES)
def test_a_dominator_cannot_be_avoided(edges: list[list[int]]) -> None:
    found, graph = dominators(edges), as_networkx(edges)
    reached = nx.descendants(graph, 0) | {0}
    for one in range(len(edges)):
        without = graph.copy()
        without.remove_node(one)
        avoiding = nx.descendants(without, 0) | {0} if one else set()
        for other in range(len(edges)):
            is_passed = one in reached and other in reached - (avoiding - {one})
            assert found.dominates(one, other) == is_passed


@given(EDGES, st.sets(st.integers(0, 7)))
def test_post_dominators_cannot_be_avoided_before_an_exit(
    edges: list[list[int]], exits: set[int]
) -> None:
    graph, end = as_networkx(edges), len(edges)
    exits &= set(graph.nodes)
    found = post_dominators(edges, exits)
    graph.add_node(end)
    graph.add_edges_from((block, end) for block in exits)
    graph.add_edges_from((block, end) for block, following in enumerate(edges) if not following)
    reaching = nx.ancestors(graph, end)
    for one in reaching if len(reaching) == end else ():
        without = graph.copy()
        without.remove_node(one)
        avoiding = nx.ancestors(without, end)
        for other in reaching:
            assert found.dominates(one, other) == (other not in avoiding)
    for block in range(len(edges)):  # all blocks have one, even if a loop never ends
        assert found.dominates(end, block)


@given(EDGES)
def test_a_block_depends_on_a_branch_if_only_one_way_leads_to_it(edges: list[list[int]]) -> None:
    after = post_dominators(edges, ())
    found = control_dependence(edges, after)
    for block in range(len(edges)):
        expected = {
            branch
            for branch, following in enumerate(edges)
            if any(after.dominates(block, each) for each in following)
            and not (after.dominates(block, branch) and block != branch)
        }
        expected = {each for each in expected if len(edges[each]) > 1}
        assert set(found[block]) == expected


@given(EDGES)
def test_components_equal_those_of_networkx(edges: list[list[int]]) -> None:
    found = components(edges)
    expected = nx.strongly_connected_components(as_networkx(edges))
    assert sorted(found) == sorted(sorted(each) for each in expected)
    done: set[int] = set()
    for component in found:
        done.update(component)
        assert all(after in done for block in component for after in edges[block])
