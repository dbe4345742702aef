"""The rule reused-barrier.

Source: PTX ISA, "bar" and "barrier": a barrier counts the warps that arrive, whichever they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.collectives.barriers import BarrierUse
from ptx_ls.lint.collectives.function_collectives import function_collectives
from ptx_ls.lint.collectives.kinds import BARRIERS, kind_of
from ptx_ls.lint.collectives.reasons import numbers
from ptx_ls.lint.collectives.shared_numbers import shared_numbers
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.execution.faults import WrongArrival
from ptx_ls.protocols.execution.launches import run_fault
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class ReusedBarrier(NamedTuple):
    """A barrier with the number of one that other threads use at the same time.

    `warps`: those that wait here. `others`: those that wait at the other place. `n_threads`: for
    how many threads the barrier waits if more execute it; 0 for two groups.
    """

    number: int | None
    warps: tuple[int, ...]
    others: tuple[int, ...]
    other: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition
    n_threads: int = 0


def find(seen: CheckInput) -> Iterator[ReusedBarrier]:
    """Yields the barriers of a kernel whose number other threads use at the same time."""
    kinds = map(kind_of, seen.text.shapes_of(BARRIERS))
    if not any(kind is not None and kind.count_operand is not None for kind in kinds):
        return
    collectives = function_collectives(seen)
    if not collectives.uniformity.is_known:
        return
    is_found = False
    for each in shared_numbers(collectives):
        is_found = True
        yield ReusedBarrier(
            each.second.number,
            each.second_warps,
            each.first_warps,
            _span(each.first),
            *_span(each.second),
        )
    fault = None if is_found else run_fault(seen.function, seen.module)
    if isinstance(fault, WrongArrival) and fault.others:
        place = fault.arrival.start, fault.arrival.end
        yield ReusedBarrier(
            fault.number, (fault.warp,), fault.others, place, *place, n_threads=fault.n_threads
        )


def _span(use: BarrierUse) -> FunctionSpan:
    found = use.statement.found
    return found.start, found.end


@rule(
    "reused-barrier",
    on=ReusedBarrier,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*BARRIERS),
)
def reused_barrier(mismatch: ReusedBarrier, _: RuleContext) -> Finding:
    """Reports a numbered barrier that two groups of warps use at the same time.

    ## Why is this bad?
    A barrier with a thread count completes when that many threads have arrived, whichever group
    they belong to. If two groups of warps use the same barrier number at the same time, a warp of
    one group may complete the barrier of the other group. Threads then continue before all threads
    of their own group have arrived, and the last threads wait forever.

    Give each group a barrier number of its own, from 0 to 15.

    The same happens if a barrier waits for fewer threads than execute it.

    The rule reports a barrier only if the kernel sets its block shape, and if the barrier number
    depends only on the thread index. Where `endless-wait` simulates the kernel, the rule also
    reports an arrival that nothing orders after an earlier phase of other warps.

    ## Example
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry halves(.param .b64 result)
    .reqntid 128
    {
        .reg .pred %p<2>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        setp.lt.u32 %p1, %r1, 64;
        @%p1 bra FIRST;
        st.global.b32 [%rd3], %r1;
        bar.sync 1, 64;
        bra DONE;
    FIRST:
        st.global.b32 [%rd3+512], %r1;
        bar.sync 1, 64;
    DONE:
        st.global.b32 [%rd3+1024], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry halves(.param .b64 result)
    .reqntid 128
    {
        .reg .pred %p<2>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        setp.lt.u32 %p1, %r1, 64;
        @%p1 bra FIRST;
        st.global.b32 [%rd3], %r1;
        bar.sync 1, 64;
        bra DONE;
    FIRST:
        st.global.b32 [%rd3+512], %r1;
        bar.sync 2, 64;
    DONE:
        st.global.b32 [%rd3+1024], %r1;
        ret;
    }
    ```
    """
    number = mismatch.number
    if mismatch.n_threads:
        return Finding(
            f"barrier {number} waits for {mismatch.n_threads} threads, but more may arrive in the "
            f"same phase: nothing orders the arrival of {_named(mismatch.warps)} after that of "
            f"{_named(mismatch.others)}"
        )
    return Finding(
        f"different warps may use barrier {number} at the same time for different purposes: "
        f"{_named(mismatch.warps)} here, and {_named(mismatch.others)} at another instruction",
        related=(
            Related(*mismatch.other, f"barrier {number} is used by {_named(mismatch.others)} here"),
        ),
    )


def _named(warps: Sequence[int]) -> str:
    """Returns warps in a sentence."""
    return numbers(sum(1 << each for each in warps), warps[-1] + 1, "warp")
