"""The rule single-wait.

Source: PTX ISA, "mbarrier": mbarrier.test_wait, mbarrier.try_wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.mbarriers.objects import mbarrier_objects
from ptx_ls.protocols.mbarriers.waits import single_waits
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class SingleMbarrierWait(NamedTuple):
    """A wait on an mbarrier object that is not repeated if it returns false.

    `opcode`: the instruction. `is_used`: whether the program uses the result.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    is_used: bool


def find(seen: CheckInput) -> Iterator[SingleMbarrierWait]:
    """Yields the waits that are not repeated."""
    sites = async_sites(seen.function, seen.module)
    if sites is None or not sites.is_readable:
        return
    for each in single_waits(mbarrier_objects(sites)):
        found = sites.sites[each.wait.number].found
        opcode = "mbarrier.try_wait" if "try_wait" in found.text else "mbarrier.test_wait"
        yield SingleMbarrierWait(found.start, found.end, opcode, each.is_used)


@rule(
    "single-wait",
    on=SingleMbarrierWait,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("mbarrier"),
)
def single_wait(mismatch: SingleMbarrierWait, _: RuleContext) -> Finding:
    """Reports waits on an mbarrier object that are not in a loop.

    ## Why is this bad?
    `mbarrier.test_wait` only tests whether a phase is complete, and `mbarrier.try_wait` waits for a
    limited time. Both return false if the phase is not complete by then. A thread that continues in
    that case may read data that has not arrived. Repeat the wait until it returns true.

    A wait is reported if its result is not used, or if the code continues in the same
    way whether the result is true or false, without another wait. Compilers may leave a test
    before a loop that waits for the same object. Such a test, whose result becomes a number that
    nothing reads, is not reported.

    ```text
          ┌────── false ──────┐
          ▼                   │
     mbarrier.try_wait ───────┴── true ──▶ the phase is complete: read the data
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
        @%p1 bra wait;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 512;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 512, [%r3];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
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
    if mismatch.is_used:
        message = (
            f"the thread continues even if `{mismatch.opcode}` returns false before the phase is "
            "complete"
        )
    else:
        message = (
            f"the result of `{mismatch.opcode}` is not used, so the thread may continue before the "
            "phase is complete"
        )
    return Finding(f"{message}: repeat the instruction until it returns true")
