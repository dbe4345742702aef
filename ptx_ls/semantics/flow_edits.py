"""A flow graph after an edit that moved its lines or sent a branch elsewhere: most of it stays."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.flow import Block, FlowGraph
from ptx_ls.semantics.region_text import BLANKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.semantics.flow import FlowLines
    from ptx_ls.semantics.flow_reader import Branch

_BRANCH: Final = re.compile(
    r"[ \t]*+(@!?[%\w$]++[ \t]++)?bra(?:\.uni)?[ \t]++([%A-Za-z_$][\w$]*+);\s*+$", re.ASCII
).match
_OF_NUMBERS: Final = frozenset({"reachable", "back_edges", "loops"})
"""What of a graph does not depend on where its blocks are."""
_MOST: Final = 4
"""Branches that may differ at once."""


def edited(
    graph: FlowGraph, old: FlowLines, new: FlowLines, *, is_closed: bool
) -> FlowGraph | None:
    """The graph of `new` lines from that of `old` ones; None if it has to be read.

    `is_closed`: the region has its closing brace.
    """
    if len(old.texts) != len(new.texts) or old.filled != new.filled:
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
    blocks = []
    for block in graph.blocks:
        (first, column), (last, end) = block.start, block.stop
        if present[last] != last or present[first] != first:
            block = _with(block, (present[first], column), (present[last], end))  # noqa: PLW2901
        blocks.append(block)
    return _kept(graph, FlowGraph(tuple(blocks), graph.called, graph.branches))


def _with(block: Block, start: tuple[int, int], stop: tuple[int, int]) -> Block:
    """A block at another place."""
    return Block(
        block.number,
        start,
        stop,
        block.labels,
        block.successors,
        block.predecessors,
        block.leaves,
        block.is_open,
    )


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
    at = bisect_left(graph.branches, block.number, key=_block_of)
    branch = graph.branches[at] if at < len(graph.branches) else None
    is_its = branch is not None and branch.block == block.number and branch.target == before[2]
    if branch is None or not is_its or block.stop != (line, len(old.rstrip(BLANKS))):
        return None
    blocks = list(graph.blocks)
    stop = line, len(new.rstrip(BLANKS))
    changed = blocks[block.number] = _with(block, block.start, stop)
    following = blocks[block.number + 1] if block.number + 1 < len(blocks) else None
    if following is not None and following.start == block.stop:
        blocks[following.number] = _with(following, stop, following.stop)
    target = branch.scope.find(after[2])
    changed.is_open = target is None
    changed.successors = block.successors[:1] if after[1] else []
    if target is not None and target not in changed.successors:
        changed.successors.append(target)
    for number in {*block.successors, *changed.successors}:
        _follow(blocks, number, block.number, is_one=number in changed.successors)
    branches = (*graph.branches[:at], branch._replace(target=after[2]), *graph.branches[at + 1 :])
    found = FlowGraph(tuple(blocks), graph.called, branches)
    is_same = changed.successors == block.successors and changed.is_open == block.is_open
    return _kept(graph, found) if is_same else found


def _block_of(branch: Branch) -> int:
    return branch.block


def _follow(blocks: list[Block], number: int, before: int, *, is_one: bool) -> None:
    """Makes one block a predecessor of another, or none; graphs share the others."""
    block = blocks[number]
    others = {it for it in block.predecessors if it != before}
    blocks[number] = _with(block, block.start, block.stop)
    blocks[number].predecessors = sorted({*others, before} if is_one else others)
