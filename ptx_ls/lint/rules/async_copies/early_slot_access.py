"""The rule early-slot-access.

Source: PTX ISA, "Asynchronous Data Copies", "mbarrier", "tcgen05.commit".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.execution.faults import SlotConflict
from ptx_ls.protocols.execution.hazards import HazardKind
from ptx_ls.protocols.execution.launches import run_fault
from ptx_ls.protocols.preceding_waits import parity_wait
from ptx_ls.protocols.site_steps import ENTRY
from ptx_ls.protocols.tensor_memory import tensor_memory
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.threads.happens_before.conflicts import access_conflicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class EarlySlotAccess(NamedTuple):
    """An access to memory that another one still uses.

    Attributes:
        start, end: its place.
        first: the place of the other access.
        wait: the last wait by parity between the two, if any.
        opcode: that of the other access.
        kind: what the access does.
        memory: the kind of the memory, in words.
        n_threads: the number of threads of the block, if that is assumed; 0 otherwise.
    """

    start: FunctionPosition
    end: FunctionPosition
    first: FunctionSpan
    wait: FunctionSpan | None
    opcode: str
    kind: HazardKind
    memory: str
    n_threads: int


def find(seen: CheckInput) -> Iterator[EarlySlotAccess]:
    """Yields the first access of a kernel that does not wait for another one."""
    found = run_fault(seen.function, seen.module)
    if not isinstance(found, SlotConflict) or found.kind is HazardKind.END:
        return
    if not _is_proven(found, seen):
        record = found.first.record
        sites = async_sites(seen.function, seen.module)
        wait = None
        if found.kind is HazardKind.READ and sites is not None:
            wait = parity_wait(sites, found.first.start, found.second.start)
        yield EarlySlotAccess(
            found.second.start,
            found.second.end,
            (found.first.start, found.first.end),
            wait,
            record.opcode if isinstance(record, Shape) else "",
            found.kind,
            "Tensor Memory" if found.is_tensor else "shared memory",
            found.n_threads,
        )


def _is_proven(conflict: SlotConflict, seen: CheckInput) -> bool:
    """Whether two accesses conflict in all launches, so that another rule reports them.

    These rules are `missing-barrier`, and those about Tensor Memory.
    """
    places = {conflict.first.start, conflict.second.start}
    if conflict.is_tensor:
        memory = tensor_memory(seen.function, seen.module)
        wrong = [(each.origin, each.number) for each in memory.violations if each.number >= 0]
        sites = [{memory.sites[it].found.start for it in pair if it != ENTRY} for pair in wrong]
        return places in sites
    return any(
        {each.first.site.found.start, each.second.site.found.start} == places
        for each in access_conflicts(seen.function, seen.module)
        if each.is_always and each.crosses_warps
    )


@rule(
    "early-slot-access",
    on=EarlySlotAccess,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("mbarrier"),
)
def early_slot_access(mismatch: EarlySlotAccess, _: RuleContext) -> Finding:
    """Reports accesses to memory that other threads or copies are still using.

    ## Why is this bad?
    The slots of a ring buffer are filled and read again and again. A consumer must not read a slot
    until it has waited for the phase in which the copy to that slot completes. A producer must not
    refill a slot until it has waited for the phase in which all readers arrive. If a wait is
    missing, or returns at once because its parity belongs to an earlier phase, the thread reads old
    data, or overwrites data that other threads are still reading. Tensor Memory needs the same
    order: `tcgen05.mma` must not overwrite a result before `tcgen05.ld` has read it.

    ```text
     copy to slot ─▶ full: wait ─▶ read ─▶ arrive ─▶ empty: wait ─▶ copy to slot
                      │                               │
                      └── missing: reads old data     └── missing: overwrites what is read
    ```

    The rule simulates several launches of the kernel. In each of these launches, all parameters
    have the same value. An access is reported only if the block size is known, if all relevant
    branches and addresses depend only on the parameters and the thread index, and if the error
    occurs in every simulated launch. If two threads access the slot in the wrong order for all
    parameter values, `missing-barrier` reports the access.

    If a cluster has at most four blocks, the rule simulates them together. It then also reports
    accesses to the shared memory of a block that may have ended.

    ## Example
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry sum(.param .b64 from, .param .b64 result, .param .b32 n)
    .reqntid 64
    {
        .reg .pred %p, %done, %lead;
        .reg .b32 %r<9>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 slot[128];
        .shared .align 8 .b64 full;
        .shared .align 8 .b64 empty;
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        ld.param.b32 %r1, [n];
        mov.u32 %r2, %tid.x;
        setp.eq.s32 %lead, %r2, 0;
        @%lead mbarrier.init.shared::cta.b64 [full], 1;
        @%lead mbarrier.init.shared::cta.b64 [empty], 32;
        bar.sync 0;
        mov.b32 %r3, 0;
        mov.b32 %r4, 1;
        mov.b32 %r5, 0;
        setp.ge.u32 %p, %r2, 32;
        @%p bra test;
        @!%lead ret;
    fill:
        setp.ge.u32 %p, %r3, %r1;
        @%p ret;
    free:
        mbarrier.try_wait.parity.shared::cta.b64 %done, [empty], %r4;
        @!%done bra free;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 128;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [slot], [%rd1], 128, [full];
        add.s64 %rd1, %rd1, 128;
        xor.b32 %r4, %r4, 1;
        add.s32 %r3, %r3, 1;
        bra fill;
    next:
    arrived:
        mbarrier.try_wait.parity.shared::cta.b64 %done, [full], 0;
        @!%done bra arrived;
        mov.u32 %r7, slot;
        mad.lo.u32 %r7, %r2, 4, %r7;
        ld.shared.b32 %r8, [%r7+-128];
        add.s32 %r5, %r5, %r8;
        fence.proxy.async.shared::cta;
        mbarrier.arrive.shared::cta.b64 _, [empty];
        add.s32 %r3, %r3, 1;
    test:
        setp.lt.u32 %p, %r3, %r1;
        @%p bra next;
        mul.wide.u32 %rd3, %r2, 4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r5;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry sum(.param .b64 from, .param .b64 result, .param .b32 n)
    .reqntid 64
    {
        .reg .pred %p, %done, %lead;
        .reg .b32 %r<9>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 slot[128];
        .shared .align 8 .b64 full;
        .shared .align 8 .b64 empty;
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        ld.param.b32 %r1, [n];
        mov.u32 %r2, %tid.x;
        setp.eq.s32 %lead, %r2, 0;
        @%lead mbarrier.init.shared::cta.b64 [full], 1;
        @%lead mbarrier.init.shared::cta.b64 [empty], 32;
        bar.sync 0;
        mov.b32 %r3, 0;
        mov.b32 %r4, 1;
        mov.b32 %r5, 0;
        setp.ge.u32 %p, %r2, 32;
        @%p bra test;
        @!%lead ret;
    fill:
        setp.ge.u32 %p, %r3, %r1;
        @%p ret;
    free:
        mbarrier.try_wait.parity.shared::cta.b64 %done, [empty], %r4;
        @!%done bra free;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 128;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [slot], [%rd1], 128, [full];
        add.s64 %rd1, %rd1, 128;
        xor.b32 %r4, %r4, 1;
        add.s32 %r3, %r3, 1;
        bra fill;
    next:
        and.b32 %r6, %r3, 1;
    arrived:
        mbarrier.try_wait.parity.shared::cta.b64 %done, [full], %r6;
        @!%done bra arrived;
        mov.u32 %r7, slot;
        mad.lo.u32 %r7, %r2, 4, %r7;
        ld.shared.b32 %r8, [%r7+-128];
        add.s32 %r5, %r5, %r8;
        fence.proxy.async.shared::cta;
        mbarrier.arrive.shared::cta.b64 _, [empty];
        add.s32 %r3, %r3, 1;
    test:
        setp.lt.u32 %p, %r3, %r1;
        @%p bra next;
        mul.wide.u32 %rd3, %r2, 4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r5;
        ret;
    }
    ```
    """
    memory = mismatch.memory
    if mismatch.kind is HazardKind.READ:
        message = (
            f"this instruction reads {memory} before the data of the current phase has arrived: no "
            "wait for the phase precedes it"
        )
        other = "the data is written here"
    elif mismatch.kind is HazardKind.CREATE:
        message = (
            "this instruction uses an mbarrier object that may not be initialised yet: no barrier "
            "separates it from the initialisation"
        )
        other = "the mbarrier object is initialised here"
    elif mismatch.kind is HazardKind.PUBLISH:
        message = (
            "this instruction may use an mbarrier object of another block before its "
            "initialisation is visible: the arrival at the cluster barrier is `.relaxed`, and no "
            "`fence.mbarrier_init` precedes it"
        )
        other = "the mbarrier object is initialised here"
    elif mismatch.kind is HazardKind.EXIT:
        message = (
            "this instruction accesses shared memory of another block, but that block may already "
            "have ended: neither a cluster barrier nor another wait keeps the block alive"
        )
        other = "the other block may end here"
    else:
        message = (
            f"this instruction {mismatch.kind} {memory} that an earlier `{mismatch.opcode}` may "
            "still use, with no wait or barrier in between"
        )
        other = f"this instruction may still use {memory}"
    if mismatch.n_threads:
        message += f"; this assumes blocks of {mismatch.n_threads} threads"
    related = [Related(*mismatch.first, other)]
    if mismatch.wait is not None:
        text = "this wait may return too early: check its mbarrier object and its parity"
        related.append(Related(*mismatch.wait, text))
    return Finding(message, related=tuple(related))
