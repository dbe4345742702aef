"""The rule barrier-count.

Source: PTX ISA, "bar" and "barrier": the number of threads is a multiple of the warp size, and the
barrier waits until that many threads have arrived.
"""

from __future__ import annotations

from ptx_ls.lint.candidates.statements import counts_threads_at_barriers
from ptx_ls.lint.collectives.barrier_counts import BarrierCount, CountFault, wrong_counts
from ptx_ls.lint.collectives.kinds import BARRIERS
from ptx_ls.lint.rule import Finding, Instructions, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.threads.uniformity.levels import LANES


@rule(
    "barrier-count",
    on=BarrierCount,
    severity=Severity.WARNING,
    find=wrong_counts,
    looks_at=Instructions(*BARRIERS),
    given=counts_threads_at_barriers,
)
def barrier_count(mismatch: BarrierCount, _: RuleContext) -> Finding:
    """Reports a barrier whose thread count can never be reached.

    ## Why is this bad?
    A barrier with a thread count waits until that many threads have arrived. The barrier counts
    whole warps: the thread count must be a multiple of 32. If the block has fewer threads, or if
    too few warps can reach a barrier with the same barrier number and thread count, the waiting
    threads wait forever.

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
            return Finding(
                f"the number of threads of `{opcode}` must be a multiple of 32, found {count}"
            )
        case CountFault.BLOCK:
            return Finding(
                f"`{opcode}` expects {count} threads ({count // LANES} warps), but a block has at "
                f"most {most // LANES} warps"
            )
    return Finding(
        f"`{opcode}` expects {count} threads, but only {most} threads can arrive at barrier "
        f"{mismatch.number} with this count"
    )
