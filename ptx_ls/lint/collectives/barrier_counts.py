"""Finds barriers with a number of threads that cannot be right.

Source: PTX ISA, "bar" and "barrier": the number of threads is a multiple of the warp size, and the
barrier waits until that many threads have arrived.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.collectives.barriers import (
    BarrierUse,
    arriving,
    barrier_uses,
    by_number,
    most_threads,
)
from ptx_ls.lint.collectives.function_collectives import function_collectives
from ptx_ls.lint.collectives.kinds import BARRIERS, kind_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import LANES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.lint.collectives.function_collectives import FunctionCollectives


class CountFault(Enum):
    """The kind of a mistake in the number of threads of a barrier."""

    WARPS = auto()
    """It is not a multiple of the warp size."""
    BLOCK = auto()
    """The block has fewer threads."""
    ARRIVING = auto()
    """Fewer threads can arrive."""


class BarrierCount(NamedTuple):
    """A barrier with a number of threads that cannot be right.

    `threads`: this number. `most`: how many there are, for BLOCK and ARRIVING.
    """

    fault: CountFault
    opcode: str
    number: int | None
    threads: int
    most: int
    start: FunctionPosition
    end: FunctionPosition


def wrong_counts(seen: CheckInput) -> Iterator[BarrierCount]:
    """Yields the barriers of a function whose number of threads cannot be right."""
    kinds = map(kind_of, seen.text.shapes_of(BARRIERS))
    if not any(kind is not None and kind.count_operand is not None for kind in kinds):
        return
    collectives = function_collectives(seen)
    if not collectives.uniformity.is_known:
        return
    uses = barrier_uses(collectives)
    wrong = [*_impossible(uses, most_threads(collectives))]
    yield from wrong
    places = {each.start for each in wrong}
    for _, group in by_number(uses):
        rest = [each for each in group if each.statement.found.start not in places]
        if all(each.threads is not None for each in rest):  # others may meet one with any count
            yield from _unmet(collectives, rest)


def _impossible(uses: Sequence[BarrierUse], most: int) -> Iterator[BarrierCount]:
    """Yields the barriers whose count is wrong for any warps that arrive.

    The rule `operand-limit` reports a number that is written in the instruction.
    """
    for each in uses:
        if each.threads is not None and each.threads % LANES:
            yield _mismatch(CountFault.WARPS, each, 0)
        elif each.threads is not None and each.is_computed and each.threads > most:
            yield _mismatch(CountFault.BLOCK, each, most)


def _unmet(collectives: FunctionCollectives, uses: Sequence[BarrierUse]) -> Iterator[BarrierCount]:
    """Yields the uses of one barrier with a count that too few threads share."""
    for count in dict.fromkeys(each.threads for each in uses):
        own = [each for each in uses if each.threads == count]
        if all(each.is_arrival for each in own):
            continue  # no thread waits
        arrived = arriving(collectives, own)
        if count is not None and arrived is not None and arrived < count:
            yield from (_mismatch(CountFault.ARRIVING, each, arrived) for each in own)


def _mismatch(fault: CountFault, use: BarrierUse, most: int) -> BarrierCount:
    found, kind = use.statement
    count = use.threads or 0
    return BarrierCount(fault, kind.opcode, use.number, count, most, found.start, found.end)
