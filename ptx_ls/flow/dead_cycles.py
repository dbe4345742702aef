"""Finds registers that only their own next values depend on, such as sums that nothing reads.

An instruction is needed if it does more than write registers, or if one that is needed reads what
it writes. All others are without use, and liveness does not show that if they form a cycle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.effects import is_for_result, reads_clock
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import BEGINS, READS, WRITES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.function_flow import FunctionFlow

_MAX_USES: Final = 1 << 13
"""Number of uses of registers in a function up to which all of them are followed."""


def dead_cycles(flow: FunctionFlow) -> Iterator[int]:
    """Yields the first use of an instruction of each cycle of reachable ones without use."""
    if len(flow.uses.codes) > _MAX_USES or not flow.blocks.loop_forest.heads:
        return
    firsts = [use for use, ways in enumerate(flow.uses.ways) if ways & BEGINS]
    needed = _needed(flow, firsts)
    if needed is None:
        return
    seen = set[int]()
    for first in firsts:
        is_reached = flow.index.block_of(first) in flow.reachable
        if first not in needed and first not in seen and is_reached:
            dependent = _dependent(flow, first)
            if first in dependent:
                yield first
                seen |= dependent


def _dependent(flow: FunctionFlow, first: int) -> set[int]:
    """Returns the first uses of the instructions that depend on the results of one."""
    found, waiting = set[int](), [first]
    while waiting:
        for use in flow.index.statement(waiting.pop()):
            if flow.uses.ways[use] & WRITES:
                readers = {*map(flow.index.first, flow.readers(use))} - found
                found |= readers
                waiting += readers
    return found


def _needed(flow: FunctionFlow, firsts: list[int]) -> set[int] | None:
    """Returns the first uses of the instructions that are needed; None if paths are unknown."""
    uses, index = flow.uses, flow.index
    needed = {first for first in firsts if _has_effect(flow, first)}
    waiting = [*needed]
    while waiting:
        for use in index.statement(waiting.pop()):
            if not uses.ways[use] & READS:
                continue
            found = flow.definitions(use)
            if not found.is_exact:
                return None
            makers = {index.first(write) for write in found.writes}.difference(needed)
            needed |= makers
            waiting += makers
    return needed


def _has_effect(flow: FunctionFlow, first: int) -> bool:
    """Whether an instruction does more than write registers that the function does not return."""
    written = [use for use in flow.index.statement(first) if flow.uses.ways[use] & WRITES]
    if not written or any(flow.uses.codes[use] in flow.registers.results for use in written):
        return True
    found = flow.statement(first)
    record = found.record
    if not isinstance(record, Shape) or not is_for_result(record):
        return True
    return reads_clock(record, found.text)
