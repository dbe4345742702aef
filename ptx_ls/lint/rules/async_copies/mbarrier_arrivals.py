"""The rule mbarrier-arrivals.

Source: PTX ISA, "mbarrier": mbarrier.init, mbarrier.arrive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.mbarriers.objects import mbarrier_objects
from ptx_ls.protocols.mbarriers.phases import wrong_arrivals
from ptx_ls.source import Severity
from ptx_ls.source.english import counted
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class WrongMbarrierArrivals(NamedTuple):
    """Arrivals at an mbarrier object that do not match the count that it was created with.

    Attributes:
        start, end: the place of the arrival.
        init: the place where the object is created.
        expected, actual: the count, and how many arrive.
        assumed: the number of threads that the block is assumed to have; 0 if that is stated.
    """

    start: FunctionPosition
    end: FunctionPosition
    init: FunctionSpan
    expected: int
    actual: int
    assumed: int


def find(seen: CheckInput) -> Iterator[WrongMbarrierArrivals]:
    """Yields arrivals in wrong numbers."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    shape = sites.participants.shape
    assumed = 0 if shape is None or shape.is_stated else shape.n_threads
    for each in wrong_arrivals(mbarrier_objects(sites)):
        arrival, init = (sites.sites[it.number].found for it in (each.arrival, each.init))
        yield WrongMbarrierArrivals(
            arrival.start,
            arrival.end,
            (init.start, init.end),
            each.expected,
            each.actual,
            assumed,
        )


@rule(
    "mbarrier-arrivals",
    on=WrongMbarrierArrivals,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("mbarrier"),
)
def mbarrier_arrivals(mismatch: WrongMbarrierArrivals, _: RuleContext) -> Finding:
    """Reports mbarrier objects that get more or fewer arrivals than `mbarrier.init` sets.

    ## Why is this bad?
    `mbarrier.init` sets the number of arrivals that complete a phase. If more threads arrive, the
    extra arrivals count in later phases, and a thread that waits for one of those phases continues
    too early or waits forever. If fewer threads arrive, the phase never completes.

    An object is reported only if all arrivals at the object are known. The kernel must therefore
    set the block size with `.reqntid`, unless the count is 1. No other block of the cluster may
    arrive at the object.

    ```text
     mbarrier.init n       n arrivals, and all bytes
     ─────────────▶ phase ──────────────────────────▶ next phase, again with n arrivals
                      │
                      ├── more than n arrivals: the rest counts in the next phase
                      └── fewer: the phase never completes
    ```

    ## Example
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry take(.param .b64 from, .param .b64 result)
    .reqntid 128
    {
        .reg .pred %p<3>;
        .reg .b32 %r<7>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 data[512];
        .shared .align 8 .b64 full;
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        setp.ne.s32 %p1, %r1, 0;
        mov.u32 %r2, data;
        mov.u32 %r3, full;
        shl.b32 %r4, %r1, 2;
        add.s32 %r5, %r2, %r4;
        @%p1 bra created;
        mbarrier.init.shared::cta.b64 [%r3], 1;
    created:
        bar.sync 0;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 512;
        @%p1 bra wait;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 512, [%r3];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
        @!%p2 bra wait;
        ld.shared.b32 %r6, [%r5];
        cvt.u64.u32 %rd3, %r4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r6;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry take(.param .b64 from, .param .b64 result)
    .reqntid 128
    {
        .reg .pred %p<3>;
        .reg .b32 %r<7>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 data[512];
        .shared .align 8 .b64 full;
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        setp.ne.s32 %p1, %r1, 0;
        mov.u32 %r2, data;
        mov.u32 %r3, full;
        shl.b32 %r4, %r1, 2;
        add.s32 %r5, %r2, %r4;
        @%p1 bra created;
        mbarrier.init.shared::cta.b64 [%r3], 1;
    created:
        bar.sync 0;
        @%p1 bra wait;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 512;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 512, [%r3];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
        @!%p2 bra wait;
        ld.shared.b32 %r6, [%r5];
        cvt.u64.u32 %rd3, %r4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r6;
        ret;
    }
    ```
    """
    expected = counted(mismatch.expected, "arrival")
    if mismatch.actual > mismatch.expected:
        message = (
            f"this mbarrier object expects {expected} per phase, but receives {mismatch.actual}"
        )
        if mismatch.assumed:
            message += f"; this assumes blocks of {mismatch.assumed} threads"
    elif not mismatch.actual:
        message = (
            f"this instruction waits forever: the mbarrier object expects {expected}, but no "
            "thread arrives"
        )
    else:
        message = (
            f"the phase never completes: the mbarrier object expects {expected}, but receives "
            f"only {mismatch.actual}"
        )
    return Finding(
        message, related=(Related(*mismatch.init, "the mbarrier object is initialised here"),)
    )
