"""The rule wrong-parity.

Source: PTX ISA, "mbarrier": mbarrier.test_wait, mbarrier.try_wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.mbarriers.objects import mbarrier_objects
from ptx_ls.protocols.mbarriers.phases import repeated_parities, wrong_arrivals
from ptx_ls.protocols.mbarriers.trace import wrong_parities
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class WrongPhaseParity(NamedTuple):
    """A wait for the parity of a phase other than the latest.

    `parity`: that it waits for. `n_phases`: how many phases the statements before it complete.
    `iteration`: the number of the iteration of the loop, from 0; -1 if the wait is in no loop.
    """

    start: FunctionPosition
    end: FunctionPosition
    parity: int
    n_phases: int
    iteration: int


def find(seen: CheckInput) -> Iterator[WrongPhaseParity]:
    """Yields the first wait of a kernel for a wrong parity."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    objects = mbarrier_objects(sites)
    constant = {each.wait.number for each in repeated_parities(objects)}
    miscounted = [each.init for each in wrong_arrivals(objects)]
    for each in wrong_parities(objects):
        is_other = each.wait.number in constant or any(map(each.wait.may_be, miscounted))
        if not is_other:
            wait = sites.sites[each.wait.number].found
            yield WrongPhaseParity(wait.start, wait.end, each.parity, each.n_phases, each.iteration)


@rule(
    "wrong-parity",
    on=WrongPhaseParity,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("mbarrier"),
)
def wrong_parity(mismatch: WrongPhaseParity, _: RuleContext) -> Finding:
    """Reports a wait for the parity of a phase other than the latest.

    ## Why is this bad?
    The phases of an mbarrier object have the parities 0, 1, 0, 1 and so on. A wait for parity 0
    returns true while the object is in a phase with parity 1. A thread that waits for parity 0
    again to get the data of the second phase reads the data before it has arrived, or waits forever
    if the data has already arrived. In a ring of several objects, the parity changes each time the
    ring starts over.

    ```text
     phase      0          1          2
     parity     0          1          0
     waits for  0          1          0    correct
                0          0               the second wait returns at once
    ```

    A wait is reported only if all threads run the same code, in at most one loop, if the objects
    and parities are known in each iteration, and if all threads that arrive at the object also
    wait.

    ## Example
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry sum(.param .b64 from, .param .b64 result, .param .b32 n)
    .reqntid 32
    {
        .reg .pred %p, %q, %s;
        .reg .b32 %r<14>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 data[256];
        .shared .align 8 .b64 full[2];
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        ld.param.b32 %r1, [n];
        mov.u32 %r2, %tid.x;
        setp.eq.s32 %p, %r2, 0;
        @%p mbarrier.init.shared::cta.b64 [full], 1;
        @%p mbarrier.init.shared::cta.b64 [full+8], 1;
        bar.sync 0;
        mov.b32 %r3, 0;
        mov.b32 %r4, 0;
        mov.u32 %r5, full;
        mov.u32 %r6, data;
    next:
        and.b32 %r7, %r3, 1;
        mad.lo.u32 %r8, %r7, 8, %r5;
        mad.lo.u32 %r9, %r7, 128, %r6;
        bfe.u32 %r10, %r3, 0, 1;
        @%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r8], 128;
        @%p cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r9], [%rd1], 128, [%r8];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %q, [%r8], %r10;
        @!%q bra wait;
        mad.lo.u32 %r11, %r2, 4, %r9;
        ld.shared.b32 %r12, [%r11];
        add.s32 %r4, %r4, %r12;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        add.s64 %rd1, %rd1, 128;
        add.s32 %r3, %r3, 1;
        setp.lt.s32 %s, %r3, %r1;
        @%s bra next;
        mul.wide.u32 %rd3, %r2, 4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r4;
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
        .reg .b32 %r<14>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 data[256];
        .shared .align 8 .b64 full[2];
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        ld.param.b32 %r1, [n];
        mov.u32 %r2, %tid.x;
        setp.eq.s32 %p, %r2, 0;
        @%p mbarrier.init.shared::cta.b64 [full], 1;
        @%p mbarrier.init.shared::cta.b64 [full+8], 1;
        bar.sync 0;
        mov.b32 %r3, 0;
        mov.b32 %r4, 0;
        mov.u32 %r5, full;
        mov.u32 %r6, data;
    next:
        and.b32 %r7, %r3, 1;
        mad.lo.u32 %r8, %r7, 8, %r5;
        mad.lo.u32 %r9, %r7, 128, %r6;
        bfe.u32 %r10, %r3, 1, 1;
        @%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r8], 128;
        @%p cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r9], [%rd1], 128, [%r8];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %q, [%r8], %r10;
        @!%q bra wait;
        mad.lo.u32 %r11, %r2, 4, %r9;
        ld.shared.b32 %r12, [%r11];
        add.s32 %r4, %r4, %r12;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        add.s64 %rd1, %rd1, 128;
        add.s32 %r3, %r3, 1;
        setp.lt.s32 %s, %r3, %r1;
        @%s bra next;
        mul.wide.u32 %rd3, %r2, 4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r4;
        ret;
    }
    ```
    """
    when = f" in iteration {mismatch.iteration + 1}" if mismatch.iteration > 0 else ""
    if mismatch.n_phases:
        n_phases = mismatch.n_phases
        latest = "the only phase" if n_phases == 1 else f"the latest of {n_phases} phases"
        state = f"{latest} so far has parity {1 - mismatch.parity}"
    else:
        state = "nothing before it completes a phase"
    message = f"this instruction waits for parity {mismatch.parity}{when}, but {state}"
    return Finding(message)
