"""A flow graph after an edit that moved its lines or sent a branch elsewhere: most of it stays."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.graph import FlowGraph
from ptx_ls.syntax.statements import BLANKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.flow.graph import Branch, FlowLines

_BRANCH: Final = re.compile(
    r"[ \t]*+(@!?[%\w$]++[ \t]++)?bra(?:\.uni)?[ \t]++([%A-Za-z_$][\w$]*+);\s*+$", re.ASCII
).match
_OF_NUMBERS: Final = frozenset({"reachable", "back_edges", "loops", "predecessors"})
"""What of a graph does not depend on where its blocks are."""
_MOST: Final = 4
"""Branches that may differ at once."""


def edited(
    graph: FlowGraph, old: FlowLines, new: FlowLines, *, is_closed: bool
) -> FlowGraph | None:
    """The graph of `new` lines from that of `old` ones; None if it has to be read.

    `is_closed`: the region has its closing brace.
    """
    if len(old.texts) != len(new.texts) or old.order != new.order:
        return None
    if old.texts == new.texts:
        if old.numbers == new.numbers:
            return graph
        return (
            _moved(graph, dict(zip(old.numbers, new.numbers, strict=True))) if is_closed else None
        )
    if old.numbers != new.numbers:
        return None
    differing = [i for i, text in enumerate(new.texts) if text != old.texts[i]]
    found: FlowGraph | None = graph if len(differing) <= _MOST else None
    for index in differing:
        if found is not None:
            found = _sent(found, new.numbers[index], old.texts[index], new.texts[index])
    return found


def _moved(graph: FlowGraph, present: Mapping[int, int]) -> FlowGraph:
    """The graph with its lines as they are numbered now."""
    starts = [(present[line], column) for line, column in graph.starts]
    stops = [(present[line], column) for line, column in graph.stops]
    return _kept(graph, replace(graph, starts=starts, stops=stops))


def _kept(graph: FlowGraph, new: FlowGraph) -> FlowGraph:
    """`new` with what is known of a graph whose blocks follow one another in the same way."""
    for name in _OF_NUMBERS & graph.__dict__.keys():
        new.__dict__[name] = graph.__dict__[name]
    return new


def _sent(graph: FlowGraph, line: int, old: str, new: str) -> FlowGraph | None:
    """The graph when a branch alone on its line became another one."""
    before, after = _BRANCH(old), _BRANCH(new)
    block = graph.block_at((line, 0))
    if before is None or after is None or bool(before[1]) is not bool(after[1]) or block is None:
        return None
    number = block.number
    at = bisect_left(graph.branches, number, key=_block_of)
    branch = graph.branches[at] if at < len(graph.branches) else None
    is_its = branch is not None and branch.block == number and branch.target == before[2]
    if branch is None or not is_its or block.stop != (line, len(old.rstrip(BLANKS))):
        return None
    starts, stops = list(graph.starts), list(graph.stops)
    stops[number] = line, len(new.rstrip(BLANKS))
    if starts[number + 1 : number + 2] == [block.stop]:
        starts[number + 1] = stops[number]
    target = branch.scope.find(after[2])
    following = [*block.successors[:1]] if after[1] else []
    if target is not None and target not in following:
        following.append(target)
    is_same = following == block.successors and (target is None) is block.is_open
    found = replace(
        graph,
        starts=starts,
        stops=stops,
        successors=[*graph.successors[:number], following, *graph.successors[number + 1 :]],
        opened=graph.opened - {number} if target is not None else graph.opened | {number},
        branches=(
            *graph.branches[:at],
            branch._replace(target=after[2]),
            *graph.branches[at + 1 :],
        ),
    )
    return _kept(graph, found) if is_same else found


def _block_of(branch: Branch) -> int:
    return branch.block
