"""Control dependence agrees with its definition, computed by another library."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.threads.uniformity.control import ControlStructure
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from tests.threads.uniformity.kernels import ThreadKernelWriter

if TYPE_CHECKING:
    from collections.abc import Sequence

N_KERNELS = 60


def control_of(seed: int) -> ControlStructure:
    """Returns the branches of a random kernel."""
    document = Document.read(ThreadKernelWriter(random.Random(seed)).kernel())  # noqa: S311
    function = next(each for each in document.leaves() if ".entry" in each.text)
    return function_uniformity(function, module_facts(document)).control


def _post_dominators(successors: Sequence[Sequence[int]]) -> dict[int, int]:
    end = len(successors)
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(end + 1))
    for block, following in enumerate(successors):
        graph.add_edges_from((each, block) for each in following or [end])
    for component in [*nx.strongly_connected_components(graph)]:
        entering = {before for each in component for before in graph.predecessors(each)}
        if end not in component and entering <= component:
            graph.add_edge(end, max(component))
    return dict(nx.immediate_dominators(graph, end))


@pytest.mark.parametrize("seed", range(N_KERNELS))
def test_region_of_a_branch_is_what_runs_before_threads_meet(seed: int) -> None:
    control = control_of(seed)
    parents = _post_dominators(control.successors)
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(control.successors)))
    for block, following in enumerate(control.successors):
        graph.add_edges_from((block, each) for each in following)
    for block, following in enumerate(control.successors):
        if len(following) < 2:
            continue
        meeting = parents[block]
        rest = graph.subgraph([each for each in graph if each != meeting])
        region = set[int]()
        for each in following:
            if each != meeting:
                region |= {each, *nx.descendants(rest, each)}
        assert control.region(block) == region
        for each in graph:
            assert (block in control.deciding(each)) == (each in region)


def test_branches_that_decide_too_much_are_not_followed() -> None:
    assert is_followed(n_latches=4)
    assert not is_followed(n_latches=400)


def is_followed(n_latches: int) -> bool:
    """Returns whether the branches of a loop with many back edges are followed."""
    latch = "setp.eq.u32 %p1, %r1, {};\n@%p1 bra LOOP;\n"
    latches = "".join(latch.format(number) for number in range(n_latches))
    text = f"""
.version 8.0
.target sm_80
.address_size 64
.visible .entry kernel()
{{
.reg .pred %p<2>;
.reg .b32 %r<2>;
mov.u32 %r1, %tid.x;
LOOP:
bar.sync 0;
{latches}
ret;
}}
"""
    document = Document.read(text)
    function = next(each for each in document.leaves() if ".entry" in each.text)
    return function_uniformity(function, module_facts(document)).is_known
