"""The rule early-slot-release.

Source: PTX ISA, "mbarrier", "wgmma.wait_group".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.mbarriers.objects import mbarrier_objects
from ptx_ls.protocols.mbarriers.slot_releases import early_slot_releases
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class SlotReleasedTooEarly(NamedTuple):
    """An arrival that lets a producer overwrite what is still read.

    Attributes:
        start, end: the place of the arrival.
        variable: the variable with the slot.
        read, refill: the places of the read, and of the copy that overwrites the slot.
        is_matrix: whether a matrix instruction reads.
    """

    start: FunctionPosition
    end: FunctionPosition
    variable: str
    read: FunctionSpan
    refill: FunctionSpan
    is_matrix: bool


def find(seen: CheckInput) -> Iterator[SlotReleasedTooEarly]:
    """Yields the first early release of each slot."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    for each in early_slot_releases(mbarrier_objects(sites)):
        yield SlotReleasedTooEarly(
            each.release.start,
            each.release.end,
            "" if each.symbol is None else each.symbol.name,
            (each.read.start, each.read.end),
            (each.refill.start, each.refill.end),
            each.is_matrix,
        )


@rule(
    "early-slot-release",
    on=SlotReleasedTooEarly,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("mbarrier"),
)
def early_slot_release(mismatch: SlotReleasedTooEarly, _: RuleContext) -> Finding:
    """Reports arrivals that let a producer overwrite shared memory that is still being read.

    ## Why is this bad?
    A producer waits on an mbarrier object before it copies new data to a slot. If one thread
    arrives for several warps, other threads may not have read the slot yet: they may read the new
    data, or miss a phase while they are still waiting. Either have the readers meet at a barrier
    before the arrival, or have each reader arrive. Memory that `wgmma` reads is free only after a
    `wgmma.wait_group` has waited for the group of the `wgmma`.

    An arrival is reported only if no path from the read to the arrival establishes this order, and
    if no other block of the cluster uses the slot.

    ## Example
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry sum(.param .b64 from, .param .b64 result, .param .b32 n)
    .reqntid 96
    {
        .reg .pred %p<6>;
        .reg .b32 %r<14>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 slot[256];
        .shared .align 8 .b64 full;
        .shared .align 8 .b64 empty;
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        ld.param.b32 %r1, [n];
        mov.u32 %r2, %tid.x;
        mov.u32 %r3, slot;
        mov.u32 %r4, full;
        mov.u32 %r5, empty;
        setp.ne.s32 %p1, %r2, 0;
        @%p1 bra created;
        mbarrier.init.shared::cta.b64 [%r4], 1;
        mbarrier.init.shared::cta.b64 [%r5], 1;
    created:
        bar.sync 0;
        mov.b32 %r6, 0;
        mov.b32 %r7, 0;
        setp.lt.u32 %p2, %r2, 64;
        @%p2 bra consume;
        setp.ne.s32 %p3, %r2, 64;
        @%p3 exit;
        mov.b32 %r7, 1;
    produce:
        mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r5], %r7;
        @!%p4 bra produce;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 256;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r3], [%rd1], 256, [%r4];
        xor.b32 %r7, %r7, 1;
        add.s64 %rd1, %rd1, 256;
        add.s32 %r6, %r6, 1;
        setp.lt.s32 %p5, %r6, %r1;
        @%p5 bra produce;
        exit;
    consume:
        mad.lo.u32 %r8, %r2, 4, %r3;
        mov.b32 %r9, 0;
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r4], %r7;
        @!%p4 bra wait;
        ld.shared.b32 %r10, [%r8];
        add.s32 %r9, %r9, %r10;
        fence.proxy.async.shared::cta;
        @!%p1 mbarrier.arrive.shared::cta.b64 _, [%r5];
        xor.b32 %r7, %r7, 1;
        add.s32 %r6, %r6, 1;
        setp.lt.s32 %p5, %r6, %r1;
        @%p5 bra wait;
        mul.wide.u32 %rd3, %r2, 4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r9;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry sum(.param .b64 from, .param .b64 result, .param .b32 n)
    .reqntid 96
    {
        .reg .pred %p<6>;
        .reg .b32 %r<14>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 slot[256];
        .shared .align 8 .b64 full;
        .shared .align 8 .b64 empty;
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        ld.param.b32 %r1, [n];
        mov.u32 %r2, %tid.x;
        mov.u32 %r3, slot;
        mov.u32 %r4, full;
        mov.u32 %r5, empty;
        setp.ne.s32 %p1, %r2, 0;
        @%p1 bra created;
        mbarrier.init.shared::cta.b64 [%r4], 1;
        mbarrier.init.shared::cta.b64 [%r5], 1;
    created:
        bar.sync 0;
        mov.b32 %r6, 0;
        mov.b32 %r7, 0;
        setp.lt.u32 %p2, %r2, 64;
        @%p2 bra consume;
        setp.ne.s32 %p3, %r2, 64;
        @%p3 exit;
        mov.b32 %r7, 1;
    produce:
        mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r5], %r7;
        @!%p4 bra produce;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 256;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r3], [%rd1], 256, [%r4];
        xor.b32 %r7, %r7, 1;
        add.s64 %rd1, %rd1, 256;
        add.s32 %r6, %r6, 1;
        setp.lt.s32 %p5, %r6, %r1;
        @%p5 bra produce;
        exit;
    consume:
        mad.lo.u32 %r8, %r2, 4, %r3;
        mov.b32 %r9, 0;
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r4], %r7;
        @!%p4 bra wait;
        ld.shared.b32 %r10, [%r8];
        add.s32 %r9, %r9, %r10;
        fence.proxy.async.shared::cta;
        bar.sync 1, 64;
        @!%p1 mbarrier.arrive.shared::cta.b64 _, [%r5];
        xor.b32 %r7, %r7, 1;
        add.s32 %r6, %r6, 1;
        setp.lt.s32 %p5, %r6, %r1;
        @%p5 bra wait;
        mul.wide.u32 %rd3, %r2, 4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r9;
        ret;
    }
    ```
    """
    if mismatch.is_matrix:
        message = (
            f"this arrival lets the producer overwrite `{mismatch.variable}` while "
            "`wgmma.mma_async` may still read it: no earlier `wgmma.wait_group` waits for the group"
        )
    else:
        message = (
            f"this arrival lets the producer overwrite `{mismatch.variable}` before other warps "
            "have read it: no barrier among the readers comes before this arrival"
        )
    related = (
        Related(*mismatch.read, f"`{mismatch.variable}` is read here"),
        Related(*mismatch.refill, f"the producer writes `{mismatch.variable}` here"),
    )
    return Finding(message, related=related)
