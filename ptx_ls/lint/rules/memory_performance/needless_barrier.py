"""The rule needless-barrier.

Source: PTX ISA, "bar" and "barrier": a barrier orders the accesses of the threads before it and
those after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.fixes.statements import without_statement
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.needless_orderings import (
    BARRIERS,
    OrderingRole,
    may_be_needless,
    needless_orderings,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class NeedlessBarrier(NamedTuple):
    """A barrier that orders nothing.

    `other`: a barrier before or after it that orders the same; None if there is nothing to order at
    the start or the end of the kernel. `is_before`: whether it is the barrier before, or the start.
    """

    other: FunctionSpan | None
    is_before: bool
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[NeedlessBarrier]:
    """Yields the barriers of a kernel that order nothing."""
    if not may_be_needless(seen.text, BARRIERS):
        return
    for each in needless_orderings(seen.function, seen.module):
        if each.role in (OrderingRole.BLOCK, OrderingRole.WARP):
            other = (each.others[0].start, each.others[0].end) if each.others else None
            yield NeedlessBarrier(other, each.is_before, each.found.start, each.found.end)


@rule(
    "needless-barrier",
    on=NeedlessBarrier,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*BARRIERS),
    in_compiler_output=None,
)
def needless_barrier(mismatch: NeedlessBarrier, context: RuleContext) -> Finding:
    """Reports a barrier that orders nothing, because another barrier orders the same accesses.

    ## Why is this bad?
    A barrier makes all threads wait for the slowest thread, to order memory accesses before the
    barrier and memory accesses after it. If no path from the previous barrier contains a memory
    access or other synchronisation, the second barrier orders nothing that the first barrier does
    not order. A barrier also orders nothing if the kernel has no memory access before it, or none
    after it; such a barrier is reported as a hint.

    A `bar.warp.sync` is reported if a block barrier comes before or after it, or a `bar.warp.sync`
    with the same mask comes before it, without a branch in between: the other barrier also
    synchronises the warp.

    Kernels that measure time are not examined.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry reverse(.param .b64 result)
    .reqntid 64
    {
        .reg .b32 %r<6>;
        .reg .b64 %rd<4>;
        .shared .align 4 .b8 buffer[256];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        mov.u32 %r3, buffer;
        add.s32 %r4, %r3, %r2;
        st.shared.b32 [%r4], %r1;
        bar.sync 0;
        sub.s32 %r4, %r3, %r2;
        bar.sync 0;
        ld.shared.b32 %r5, [%r4+252];
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        st.global.b32 [%rd3], %r5;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry reverse(.param .b64 result)
    .reqntid 64
    {
        .reg .b32 %r<6>;
        .reg .b64 %rd<4>;
        .shared .align 4 .b8 buffer[256];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        mov.u32 %r3, buffer;
        add.s32 %r4, %r3, %r2;
        st.shared.b32 [%r4], %r1;
        bar.sync 0;
        sub.s32 %r4, %r3, %r2;
        ld.shared.b32 %r5, [%r4+252];
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        st.global.b32 [%rd3], %r5;
        ret;
    }
    ```
    """
    repairs = without_statement(
        mismatch.start, mismatch.end, context, "the barrier", Applicability.UNSAFE
    )
    if mismatch.other is None:
        where = "before" if mismatch.is_before else "after"
        return Finding(
            f"needless barrier: no access to memory comes {where} the barrier in this kernel",
            severity=Severity.HINT,
            repairs=repairs,
        )
    since = (
        "since the previous barrier, no thread has accessed memory or synchronised with other "
        "threads"
    )
    until = "no thread accesses memory or synchronises with other threads before the next barrier"
    return Finding(
        f"needless barrier: {since if mismatch.is_before else until}",
        related=(Related(*mismatch.other, "this barrier orders the same accesses"),),
        repairs=repairs,
    )
