"""The rule divergent-collective.

Source: PTX ISA, `.aligned` in "ldmatrix", "stmatrix", "movmatrix", "mma", "wmma.load", "wmma.mma",
"wgmma.mma_async", "setmaxnreg", "tcgen05.alloc", "tcgen05.ld" and "tensormap.cp_fenceproxy".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.candidates.statements import may_divide_threads
from ptx_ls.lint.collectives.function_collectives import function_collectives
from ptx_ls.lint.collectives.kinds import WHOLE_WARP
from ptx_ls.lint.collectives.mismatches import (
    Divided,
    divided,
    first_of_each_branch,
    related_to,
)
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from collections.abc import Iterator


class DivergentCollective(Divided):
    """An instruction of a whole warp or warpgroup that only some of its threads execute."""

    __slots__ = ()


def find(seen: CheckInput) -> Iterator[DivergentCollective]:
    """Yields the instructions of a function that only some of their threads execute."""
    return first_of_each_branch(_divided(seen))


def _divided(seen: CheckInput) -> Iterator[DivergentCollective]:
    collectives = function_collectives(seen)
    for each in collectives.divisible:
        kind = each.kind
        if not kind.needs_lanes:
            continue
        division = collectives.division(each.found, Level.WARP)
        if division is None and kind.level is Level.WARPGROUP:
            division = collectives.unmet(each, Level.WARPGROUP)
        if division is not None:
            yield DivergentCollective(*divided(collectives, each.found, kind.opcode, division))


@rule(
    "divergent-collective",
    on=DivergentCollective,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*WHOLE_WARP),
    given=may_divide_threads,
)
def divergent_collective(mismatch: DivergentCollective, _: RuleContext) -> Finding:
    """Reports an instruction for a whole warp or warpgroup that only some threads execute.

    ## Why is this bad?
    All lanes of a warp must execute an instruction with `.aligned` together. All four warps of a
    warpgroup must execute `wgmma` and `setmaxnreg`. If a branch or a guard leaves out some of these
    threads, the behaviour is undefined. ptxas does not report this mistake.

    ## Example
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .shared .align 16 .b8 sm[512];
    .visible .entry kernel(.param .b64 result)
    .reqntid 32
    {
        .reg .pred %p<2>;
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, sm;
        mad.lo.u32 %r2, %r1, 16, %r2;
        mov.b32 %r3, 0;
        st.shared.b32 [%r2], %r1;
        bar.sync 0;
        setp.lt.u32 %p1, %r1, 8;
        @%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2];
        st.global.b32 [%rd1], %r3;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .shared .align 16 .b8 sm[512];
    .visible .entry kernel(.param .b64 result)
    .reqntid 32
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, sm;
        mad.lo.u32 %r2, %r1, 16, %r2;
        st.shared.b32 [%r2], %r1;
        bar.sync 0;
        ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2];
        st.global.b32 [%rd1], %r3;
        ret;
    }
    ```
    """
    threads, around = mismatch.threads, mismatch.level.word
    what = "all lanes" if mismatch.level is Level.WARP else "all four warps"
    return Finding(
        f"only {threads} of a {around} can execute `{mismatch.opcode}`, but {what} must do so "
        "together",
        related=related_to(mismatch.reason),
    )
