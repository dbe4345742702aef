"""The rule needless-fence.

Source: PTX ISA, "membar, fence" and "Memory Consistency Model".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.fixes.statements import without_statement
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.needless_orderings import (
    FENCES,
    OrderingRole,
    may_be_needless,
    needless_orderings,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class NeedlessFence(NamedTuple):
    """A fence that orders nothing.

    `other`: a fence or barrier that includes it; None if no access comes after it.
    `is_before`: whether that comes before it.
    """

    other: FunctionSpan | None
    is_before: bool
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[NeedlessFence]:
    """Yields the fences of a kernel that order nothing."""
    if not may_be_needless(seen.text, FENCES):
        return
    for each in needless_orderings(seen.function, seen.module):
        if each.role in (OrderingRole.FENCE, OrderingRole.PROXY):
            other = (each.others[0].start, each.others[0].end) if each.others else None
            yield NeedlessFence(other, each.is_before, each.found.start, each.found.end)


@rule(
    "needless-fence",
    on=NeedlessFence,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*FENCES),
    in_compiler_output=None,
)
def needless_fence(mismatch: NeedlessFence, context: RuleContext) -> Finding:
    """Reports a fence next to a fence or barrier that orders the same accesses.

    ## Why is this bad?
    A fence waits until earlier accesses of its thread are performed, which may take hundreds of
    cycles. A fence has no additional effect if no access is between it and a fence or barrier that
    orders at least as much:

    - `.sc` includes `.acq_rel`, which includes `.acquire` and `.release`;
    - `.sys` includes `.gpu`, which includes `.cluster`, which includes `.cta`; the scope of
      `membar.gl` is `.gpu`;
    - a barrier of the whole block includes a fence with `.cta` scope.

    A fence also orders nothing if no access follows it in the kernel; such a fence is reported
    as a hint.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry publish(.param .b64 data, .param .b64 flag)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<3>;
        ld.param.b64 %rd1, [data];
        ld.param.b64 %rd2, [flag];
        mov.u32 %r1, 1;
        st.global.b32 [%rd1], %r1;
        fence.acq_rel.cta;
        fence.acq_rel.gpu;
        st.relaxed.gpu.global.b32 [%rd2], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry publish(.param .b64 data, .param .b64 flag)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<3>;
        ld.param.b64 %rd1, [data];
        ld.param.b64 %rd2, [flag];
        mov.u32 %r1, 1;
        st.global.b32 [%rd1], %r1;
        fence.acq_rel.gpu;
        st.relaxed.gpu.global.b32 [%rd2], %r1;
        ret;
    }
    ```
    """
    repairs = without_statement(
        mismatch.start, mismatch.end, context, "the fence", Applicability.UNSAFE
    )
    if mismatch.other is None:
        return Finding(
            "needless fence: no memory access follows it in this kernel",
            severity=Severity.HINT,
            repairs=repairs,
        )
    which = "an earlier" if mismatch.is_before else "a later"
    return Finding(
        f"needless fence: {which} fence or barrier orders the same accesses, with no memory "
        "access in between",
        related=(Related(*mismatch.other, "this instruction orders the same accesses"),),
        repairs=repairs,
    )
