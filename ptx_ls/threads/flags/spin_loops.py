"""Finds the short loops of a function that only wait for what they load."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.constant_exits import constant_exit
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.semantics.instructions.effects import is_pure
from ptx_ls.semantics.instructions.identities import identity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found

ATOMIC: Final = "atom"
_WAITING: Final = frozenset({"add", "and", "cas", "exch", "or"})
"""Operations that change nothing if they are repeated; `add` only if it adds 0."""
_ADDING: Final = ".add."
_BRANCH: Final = "bra"
_COUNTING: Final = ("add", "sub")
_MAX_ROWS: Final = 64
"""Number of lines of a loop that waits; longer loops do something else, too."""


class SpinLoop(NamedTuple):
    """A loop that only ends when a load returns another value.

    `head`, `tail`: its first and its last block. `statements`: those between. `loads`: the loads
    among them. `guard`: the use of the predicate that decides whether the loop continues.
    """

    head: int
    tail: int
    statements: tuple[Found, ...]
    loads: tuple[Found, ...]
    guard: int


def atomic_waits(
    flow: FunctionFlow, shapes: AbstractSet[Shape], is_wait: Callable[[Shape], bool]
) -> Iterator[SpinLoop]:
    """Yields the loops that only repeat an atomic operation until it returns another value.

    They take a lock, or wait for a flag. An operation whose operands change, such as one that
    computes a maximum with `atom.cas`, is repeated for another reason.
    """
    if shapes:
        loops = spin_loops(
            flow, shapes, is_wait, lambda it: it.name == _BRANCH or is_pure(it) or is_wait(it)
        )
        yield from (loop for loop in loops if all(map(_changes_nothing, loop.loads)))


def _changes_nothing(operation: Found) -> bool:
    """Whether an atomic operation, if it is repeated, leaves memory as it is."""
    text = operation.text
    return _ADDING not in text or text.rstrip("; \t\n").rpartition(",")[2].strip() == "0"


def may_be_atomic_wait(shape: Shape) -> bool:
    """Whether an instruction may be an atomic operation that a loop repeats to wait."""
    return shape.name == ATOMIC and not _WAITING.isdisjoint(shape.opcode.split("."))


def spin_loops(
    flow: FunctionFlow,
    loads: AbstractSet[Shape],
    is_load: Callable[[Shape], bool],
    may_contain: Callable[[Shape], bool] | None = None,
) -> Iterator[SpinLoop]:
    """Yields the loops that wait for loads.

    `loads`: the shapes that may be such loads, which `is_load` looks at more closely.
    `may_contain`: whether a loop that has an instruction of a shape is wanted; None for all.
    """
    ends = [
        (after, block)
        for block, following in enumerate(flow.blocks.successors)
        for after in following
        if after <= block
    ]
    if not loads or not ends:
        return
    text, graph = flow.text, flow.graph
    rows = text.lines_of(text.with_shapes(loads))
    heads: frozenset[int] | None = None
    for head, tail in ends:
        first, last = graph.lines(head)[0], graph.lines(tail)[-1]
        if last - first > _MAX_ROWS or not _has_any(rows, first, last):
            continue
        if _counts(head, tail, flow):
            continue
        if may_contain is not None and not all(
            may_contain(each) for each in text.records[first + 1 : last] if isinstance(each, Shape)
        ):
            continue
        heads = frozenset(graph.loop_forest.heads) if heads is None else heads
        if head not in heads or max(graph.loop_forest.blocks(head)) > tail:
            continue  # the branch closes no loop, or is not the last one that does
        found = constant_exit(flow, head, is_load)
        if found is None:
            continue
        lines = text.statements(range(first, last + 1))
        inside = [it for it in lines if graph.number_at(it.start) in range(head, tail + 1)]
        if may_contain is not None and not all(
            may_contain(each.record) for each in inside if isinstance(each.record, Shape)
        ):
            continue
        shapes = {each.record for each in inside if each.record in loads}
        own = {each for each in shapes if isinstance(each, Shape) and is_load(each)}
        if own and constant_exit(flow, head) is None:
            used = tuple(each for each in inside if each.record in own)
            yield SpinLoop(head, tail, tuple(inside), used, found.guard)


def _counts(head: int, tail: int, flow: FunctionFlow) -> bool:
    """Whether the branch at the end of a loop surely depends on the number of the iteration.

    This is faster than to follow all conditions for leaving the loop, and true of most loops. The
    condition reads a register whose only write in the loop adds a number to it. That and the write
    of the predicate must be in the first or the last block, which surely are in the loop.
    """
    uses, firsts = flow.uses, flow.blocks.firsts
    first, stop = firsts[head], firsts[tail + 1]
    ends = range(first, firsts[head + 1]), range(firsts[tail], stop)
    if len(flow.blocks.successors[tail]) < 2 or not uses.ways[stop - 1] & GUARDS:  # noqa: PLR2004
        return False
    condition = flow.trace.only[uses.codes[stop - 1]]
    if not any(condition in each for each in ends):
        return False
    for read in flow.index.statement(condition):
        if uses.ways[read] & READS:
            own = _in_range(flow.index.of(uses.codes[read]), first, stop)
            writes = [each for each in own if uses.ways[each] & WRITES]
            if len(writes) == 1 and any(writes[0] in each for each in ends):
                return _adds_number(writes[0], flow)
    return False


def _in_range(numbers: Sequence[int], first: int, stop: int) -> Sequence[int]:
    """Returns those of some numbers in order that are in [first, stop)."""
    return numbers[bisect_left(numbers, first) : bisect_left(numbers, stop)]


def _adds_number(write: int, flow: FunctionFlow) -> bool:
    """Whether an instruction adds something to the register that it writes, but not 0."""
    uses, record = flow.uses, record_of(flow, write)
    if not isinstance(record, Shape) or record.name not in _COUNTING:
        return False
    reads = [each for each in flow.index.statement(write) if uses.ways[each] & READS]
    is_own = any(uses.codes[each] == uses.codes[write] for each in reads)
    return is_own and identity(record, flow.statement(write).text) is None


def _has_any(rows: Sequence[int], first: int, last: int) -> bool:
    number = bisect_left(rows, first)
    return number < len(rows) and rows[number] <= last
