"""The branches that decide whether blocks run are found, and counted, in C as in Python."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.flow.structure.dominators import control_dependence, post_dominators
from ptx_ls.source.reachability import reached
from ptx_ls.threads.uniformity.branch_decisions import (
    deciding_branches,
    has_few_decisions,
    plain_deciding_branches,
    plain_has_few_decisions,
)
from tests.flow.random_graphs import EDGES


@given(EDGES, st.integers(0, 30))
def test_deciding_branches_are_those_of_control_dependence(
    edges: list[list[int]], most: int
) -> None:
    after = post_dominators(edges, ())
    expected = control_dependence(edges, after)
    is_small = sum(map(len, expected)) <= most
    for find in (deciding_branches, plain_deciding_branches):
        found = find(edges, after, most)
        assert (found is not None) == is_small
        assert found is None or [tuple(each) for each in found] == [*expected]


@given(EDGES, st.integers(0, 60))
def test_decisions_are_counted(edges: list[list[int]], most: int) -> None:
    parents = deciding_branches(edges, post_dominators(edges, ()), len(edges) ** 2)
    assert parents is not None
    n_all = sum(len(reached(direct, parents.__getitem__)) for direct in parents)
    assert has_few_decisions(parents, most) == (n_all <= most)
    assert plain_has_few_decisions(parents, most) == (n_all <= most)
