"""Finds the place where a barrier of the block orders two accesses, whatever path threads take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.structure.dominators import NONE
from ptx_ls.flow.structure.loop_forest import NO_LOOP
from ptx_ls.lint.collectives.barriers import barrier_uses
from ptx_ls.lint.collectives.function_collectives import function_collectives
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.record import Shape
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.lint.collectives.barriers import BarrierUse
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

_BRANCHES: Final = ("bra", "brx")


def barrier_place(
    seen: CheckInput, first: FunctionPosition | None, second: FunctionPosition
) -> FunctionPosition | None:
    """Returns where a barrier comes between two statements on each path from the first.

    All threads of the block surely get to that place together. It is right before the second
    statement, or before the branch that decides whether it runs. None if there is no such place,
    or if it is in a loop without the first statement, so that one barrier outside would do.
    """
    head = seen.facts.function
    uniformity = function_uniformity(seen.function, seen.module)
    if head is None or head.kind is not SymbolKind.KERNEL or not uniformity.is_known:
        return None
    if any(each.has_count and each.number in (None, 0) for each in _uses(seen)):
        return None
    graph = uniformity.values.graph
    start = 0 if first is None else graph.number_at(first)
    block = graph.number_at(second)
    if start is None or block is None or not graph.dominators.is_reached(block):
        return None
    place: FunctionPosition | None = second
    while place is None or uniformity.block(block).surely < Level.CTA:
        block = graph.dominators.parent[block]
        if block == NONE:
            return None
        place = _before_branch(uniformity, block)
    loop = graph.loop_forest.innermost(block)
    if loop not in (NO_LOOP, *graph.loop_forest.heads_around(start)):
        return None
    if first is None or _is_between(uniformity, start, block, first, second):
        return place
    return None


def _uses(seen: CheckInput) -> tuple[BarrierUse, ...]:
    """Returns the barriers of a function."""
    return barrier_uses(function_collectives(seen))


def _before_branch(uniformity: FunctionUniformity, block: int) -> FunctionPosition | None:
    """Returns the place of the branch at the end of a block; None if it ends in another way."""
    last = _last_instruction(uniformity, block)
    if last is None or not isinstance(last.record, Shape) or last.record.name not in _BRANCHES:
        return None
    return last.start


def _last_instruction(uniformity: FunctionUniformity, block: int) -> Found | None:
    """Returns the last instruction of a block."""
    graph, last = uniformity.values.graph, None
    rows = range(graph.starts[block][0], graph.stops[block][0] + 1)
    for found in uniformity.flow.text.statements(rows):
        if isinstance(found.record, Shape) and graph.number_at(found.start) == block:
            last = found
    return last


def _is_between(
    uniformity: FunctionUniformity,
    start: int,
    block: int,
    first: FunctionPosition,
    second: FunctionPosition,
) -> bool:
    """Whether all paths from one statement to another one enter a block, or begin in it."""
    if start == block:
        return True
    graph = uniformity.values.graph
    target = graph.number_at(second)
    if start == target and first < second:
        return False
    found, waiting = set[int](), [start]
    while waiting:
        for each in graph.successors[waiting.pop()]:
            if each == target != block:
                return False
            if each not in found and each != block:
                found.add(each)
                waiting.append(each)
    return True


def end_place(seen: CheckInput) -> FunctionPosition | None:
    """Returns the place of the only end of a kernel, if all threads surely get there together."""
    uniformity = function_uniformity(seen.function, seen.module)
    graph = uniformity.values.graph
    if not uniformity.is_known or len(graph.leaves) != 1:
        return None
    (block,) = graph.leaves
    last = _last_instruction(uniformity, block)
    is_plain = last is not None and isinstance(last.record, Shape) and not last.record.guard
    if last is None or not is_plain or uniformity.block(block).surely < Level.CTA:
        return None
    return last.start
