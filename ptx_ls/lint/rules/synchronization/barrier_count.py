"""The rule barrier-count.

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
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import LANES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


def find(seen: CheckInput) -> Iterator[BarrierCount]:
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


@rule(
    "barrier-count",
    on=BarrierCount,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*BARRIERS),
)
def barrier_count(mismatch: BarrierCount, _: RuleContext) -> Finding:
    """Reports a barrier that waits for a number of threads that can never arrive.

    ## Why is this bad?
    A barrier with a number of threads waits until that many have arrived, and counts whole warps:
    the number must be a multiple of 32. If the block has fewer threads, or if too few of its warps
    can reach a barrier with this number and count, the threads that wait there wait forever.

    ## Example
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    .reqntid 64
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, 128;
        st.global.b32 [%rd1], %r1;
        bar.sync 1, %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    .reqntid 64
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, 64;
        st.global.b32 [%rd1], %r1;
        bar.sync 1, %r2;
        ret;
    }
    ```
    """
    opcode, count, most = mismatch.opcode, mismatch.threads, mismatch.most
    match mismatch.fault:
        case CountFault.WARPS:
            return Finding(f"`{opcode}` needs {count} threads, which is not a multiple of 32")
        case CountFault.BLOCK:
            return Finding(
                f"`{opcode}` needs {count} threads ({count // LANES} warps), but a block has at "
                f"most {most // LANES} warps"
            )
    return Finding(
        f"`{opcode}` needs {count} threads, but only {most} can arrive at barrier "
        f"{mismatch.number} with this count"
    )
