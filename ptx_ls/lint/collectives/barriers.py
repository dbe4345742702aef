"""The barriers of a function by their numbers, with their counts of threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import LANES, Level
from ptx_ls.values.decoding import immediate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.lint.collectives.function_collectives import (
        CollectiveStatement,
        FunctionCollectives,
    )


class BarrierUse(NamedTuple):
    """A barrier of the block.

    Attributes:
        statement: the instruction.
        number: the number of the barrier; None if it is not known.
        threads: how many threads it waits for; None if it has no count, or an unknown one.
        has_count: whether it has a count.
        is_computed: whether the count is in a register.
    """

    statement: CollectiveStatement
    number: int | None
    threads: int | None
    has_count: bool
    is_computed: bool

    @property
    def is_arrival(self) -> bool:
        """Whether it does not wait."""
        return self.statement.kind.action == ".arrive"


def barrier_uses(collectives: FunctionCollectives) -> tuple[BarrierUse, ...]:
    """Returns the barriers of a function, in order."""
    values, found = collectives.uniformity.values, []
    for each in collectives.statements:
        kind = each.kind
        if kind.action:
            number = values.operand(each.found, kind.id_operand).constant
            count, is_computed = None, False
            if kind.count_operand is not None:
                count = values.operand(each.found, kind.count_operand).constant
                operands = values.given.decoder.of_statement(each.found).operands
                is_computed = immediate(operands[kind.count_operand]) is None
            has_count = kind.count_operand is not None
            found.append(BarrierUse(each, number, count, has_count, is_computed))
    return tuple(found)


def stated_threads(collectives: FunctionCollectives) -> int | None:
    """Returns how many threads the blocks of a kernel have, if that is stated, in whole warps."""
    shapes = collectives.uniformity.shapes
    is_stated = len(shapes) == 1 and shapes[0].is_stated
    return shapes[0].n_warps * LANES if is_stated else None


def most_threads(collectives: FunctionCollectives) -> int:
    """Returns how many threads a block of the kernel has at most, in whole warps."""
    return -(-collectives.uniformity.values.given.bounds.max_threads // LANES) * LANES


def arriving(collectives: FunctionCollectives, uses: Sequence[BarrierUse]) -> int | None:
    """Returns how many threads can arrive at one of some barriers at most, in whole warps.

    None if the shape of the block is not stated.
    """
    if stated_threads(collectives) is None or collectives.has_calls:
        return None
    (shape,) = collectives.uniformity.shapes
    threads = 0
    for each in uses:
        for _, own in collectives.uniformity.threads_of(each.statement.found):
            threads |= own.threads
    return sum(LANES for warp in shape.groups(Level.WARP) if warp & threads)


def by_number(uses: Sequence[BarrierUse]) -> Iterator[tuple[int, list[BarrierUse]]]:
    """Yields the numbers of barriers with their uses; nothing if the number of one is unknown."""
    groups: dict[int, list[BarrierUse]] = {}
    for each in uses:
        if each.number is None:
            return
        groups.setdefault(each.number, []).append(each)
    yield from sorted(groups.items())
