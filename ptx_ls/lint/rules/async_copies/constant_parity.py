"""The rule constant-parity.

Source: PTX ISA, "mbarrier": mbarrier.test_wait, mbarrier.try_wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.mbarriers.objects import mbarrier_objects
from ptx_ls.protocols.mbarriers.phases import repeated_parities
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class ConstantParity(NamedTuple):
    """A wait in a loop for the same parity in each iteration.

    `parity`: the parity. `arrival`: the place of what completes a phase in each iteration.
    """

    start: FunctionPosition
    end: FunctionPosition
    parity: int
    arrival: FunctionSpan


def find(seen: CheckInput) -> Iterator[ConstantParity]:
    """Yields the waits for a constant parity in loops that start new phases."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    for each in repeated_parities(mbarrier_objects(sites)):
        wait, arrival = (sites.sites[it.number].found for it in (each.wait, each.arrival))
        yield ConstantParity(wait.start, wait.end, each.parity, (arrival.start, arrival.end))


@rule(
    "constant-parity",
    on=ConstantParity,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("mbarrier"),
)
def constant_parity(mismatch: ConstantParity, _: RuleContext) -> Finding:
    """Reports a loop that starts a new phase in each iteration but always waits for one parity.

    ## Why is this bad?
    The phases of an mbarrier object have the parities 0, 1, 0, 1 and so on. A wait for parity 0
    returns true while the object is in a phase with parity 1. If a loop completes one phase in each
    iteration, and always waits for parity 0, the wait in the second iteration returns at once,
    before the data of that iteration has arrived. Flip the parity in each iteration.

    ```text
     phase      0          1          2
     parity     0          1          0
     wait for 0 waits      returns    waits
                           at once
    ```

    ## Example
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry sum(.param .b64 from, .param .b64 result, .param .b32 n)
    .reqntid 32
    {
        .reg .pred %p, %q, %s;
        .reg .b32 %r<9>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 data[128];
        .shared .align 8 .b64 full;
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        ld.param.b32 %r1, [n];
        mov.u32 %r2, %tid.x;
        setp.eq.s32 %p, %r2, 0;
        mov.u32 %r3, data;
        mov.u32 %r4, full;
        @%p mbarrier.init.shared::cta.b64 [%r4], 1;
        bar.sync 0;
        mad.lo.u32 %r5, %r2, 4, %r3;
        mov.b32 %r6, 0;
    next:
        @%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 128;
        @%p cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r3], [%rd1], 128, [%r4];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %q, [%r4], 0;
        @!%q bra wait;
        ld.shared.b32 %r8, [%r5];
        add.s32 %r6, %r6, %r8;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        add.s64 %rd1, %rd1, 128;
        sub.s32 %r1, %r1, 1;
        setp.gt.s32 %s, %r1, 0;
        @%s bra next;
        mul.wide.u32 %rd3, %r2, 4;
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
    .visible .entry sum(.param .b64 from, .param .b64 result, .param .b32 n)
    .reqntid 32
    {
        .reg .pred %p, %q, %s;
        .reg .b32 %r<9>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 data[128];
        .shared .align 8 .b64 full;
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        ld.param.b32 %r1, [n];
        mov.u32 %r2, %tid.x;
        setp.eq.s32 %p, %r2, 0;
        mov.u32 %r3, data;
        mov.u32 %r4, full;
        @%p mbarrier.init.shared::cta.b64 [%r4], 1;
        bar.sync 0;
        mad.lo.u32 %r5, %r2, 4, %r3;
        mov.b32 %r6, 0;
        mov.b32 %r7, 0;
    next:
        @%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 128;
        @%p cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r3], [%rd1], 128, [%r4];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %q, [%r4], %r7;
        @!%q bra wait;
        ld.shared.b32 %r8, [%r5];
        add.s32 %r6, %r6, %r8;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        xor.b32 %r7, %r7, 1;
        add.s64 %rd1, %rd1, 128;
        sub.s32 %r1, %r1, 1;
        setp.gt.s32 %s, %r1, 0;
        @%s bra next;
        mul.wide.u32 %rd3, %r2, 4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r6;
        ret;
    }
    ```
    """
    message = (
        f"this instruction waits for parity {mismatch.parity} in every iteration, but the parity "
        "changes with each phase: the next wait may return before its phase is complete"
    )
    return Finding(
        message, related=(Related(*mismatch.arrival, "a new phase starts here in every iteration"),)
    )
