"""Paths in directed graphs: what they lead to, and which nodes reach each other.

A graph with nodes 0, 1, ... is given by the successors of each node; any other graph by a mapping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

_Node = TypeVar("_Node")


def reached(first: Iterable[_Node], following: Callable[[_Node], Iterable[_Node]]) -> set[_Node]:
    """Returns some nodes, and all nodes that paths lead to from these.

    Args:
        first: where the paths begin.
        following: the nodes that edges lead to from a node.
    """
    found: set[_Node] = set()
    waiting = [*first]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += following(node)
    return found


def without_edges(
    successors: Sequence[Sequence[int]], left_out: Collection[tuple[int, int]]
) -> Callable[[int], Iterable[int]]:
    """Returns what gives the successors of a node without some edges, for `reached`."""

    def following(node: int) -> Iterable[int]:
        return [each for each in successors[node] if (node, each) not in left_out]

    return following


def reversed_edges(edges: Mapping[_Node, Iterable[_Node]]) -> dict[_Node, list[_Node]]:
    """Returns the nodes from which edges lead to each node that has such."""
    found: dict[_Node, list[_Node]] = {}
    for node, following in edges.items():
        for each in following:
            found.setdefault(each, []).append(node)
    return found


def predecessors_of(successors: Sequence[Collection[int]]) -> list[list[int]]:
    """Returns the predecessors of each node, in order."""
    found: list[list[int]] = [[] for _ in successors]
    for node, following in enumerate(successors):
        for each in following:
            found[each].append(node)
    return found


def components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """Returns the strongly connected components: nodes that can all reach each other.

    Each comes after those that it leads to; its nodes are in order. This is Tarjan's algorithm
    without recursion, because a path may be as long as the graph.
    """
    n_nodes = len(successors)
    number = [0] * n_nodes  # in the order of the search, from 1
    low = [0] * n_nodes  # the least number that a node reaches
    is_open = bytearray(n_nodes)  # whether its component is not complete
    opened: list[int] = []
    found: list[list[int]] = []
    n_seen = 0
    for root in range(n_nodes):
        path = [] if number[root] else [root]
        places = [0] * len(path)
        while path:
            node = path[-1]
            if not places[-1]:
                n_seen += 1
                number[node] = low[node] = n_seen
                is_open[node] = 1
                opened.append(node)
            following = successors[node]
            while places[-1] < len(following):
                after = following[places[-1]]
                places[-1] += 1
                if not number[after]:
                    path.append(after)
                    places.append(0)
                    break
                if is_open[after]:
                    low[node] = min(low[node], number[after])
            else:
                path.pop()
                places.pop()
                if path:
                    low[path[-1]] = min(low[path[-1]], low[node])
                if low[node] == number[node]:
                    found.append(_closed(opened, node, is_open))
    return found


def _closed(opened: list[int], node: int, is_open: bytearray) -> list[int]:
    """Takes the component whose first node is `node` from the end of `opened`."""
    own = []
    while True:
        last = opened.pop()
        is_open[last] = 0
        own.append(last)
        if last == node:
            return sorted(own)
