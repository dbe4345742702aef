"""The rule endless-wait.

Source: PTX ISA, "mbarrier": the phase of an mbarrier object; "bar, barrier".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.collectives.barrier_counts import wrong_counts
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.execution.faults import StuckWait, WrongArrival
from ptx_ls.protocols.execution.launches import run_fault
from ptx_ls.semantics.instructions.barrier_opcodes import BARRIERS
from ptx_ls.source import Severity
from ptx_ls.source.english import counted
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class EndlessWait(NamedTuple):
    """A wait that never ends, or an arrival in a wrong phase.

    Attributes:
        start, end: its place.
        fault: what is wrong.
        init: the place where the object is created.
        others: the places where other threads wait forever.
    """

    start: FunctionPosition
    end: FunctionPosition
    fault: StuckWait | WrongArrival
    init: FunctionSpan | None = None
    others: tuple[FunctionSpan, ...] = ()


def find(seen: CheckInput) -> Iterator[EndlessWait]:
    """Yields the first wait of a kernel that never ends."""
    found = run_fault(seen.function, seen.module)
    if isinstance(found, WrongArrival) and not found.others:
        yield EndlessWait(found.arrival.start, found.arrival.end, found)
    if isinstance(found, StuckWait) and not _has_wrong_count(found, seen):
        init = None if found.init is None else (found.init.start, found.init.end)
        others = tuple((each.start, each.end) for each in found.others)
        yield EndlessWait(found.wait.start, found.wait.end, found, init, others)


def _has_wrong_count(stuck: StuckWait, seen: CheckInput) -> bool:
    """Whether a barrier waits for a number of threads that `barrier-count` reports."""
    return any(each.start == stuck.wait.start for each in wrong_counts(seen))


@rule(
    "endless-wait",
    on=EndlessWait,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("mbarrier", *BARRIERS),
)
def endless_wait(mismatch: EndlessWait, _: RuleContext) -> Finding:
    """Reports waits that never end, because the awaited event never happens.

    ## Why is this bad?
    A producer and a consumer that share a slot wait for each other. If the producer begins with the
    wrong parity, if an arrival is missing, or if more bytes are announced than copied, the threads
    wait forever.

    The phases of an mbarrier object have the parities 0, 1, 0, 1 and so on. A wait for parity 1 on
    a new object returns at once. A producer therefore first waits for parity 1 on the objects at
    which consumers arrive, and a consumer first waits for parity 0 on the objects that track
    copies. In a ring of several objects, the parity changes each time the ring starts over.

    ```text
     producer   wait empty 1 ─▶ copy ─▶ wait empty 0 ─▶ copy ─▶ wait empty 1 ─▶ ...
                                 │        ▲               │        ▲
                                 ▼ full   │ empty         ▼ full   │ empty
     consumer   wait full 0 ────▶ read ───┘ wait full 1 ─▶ read ───┘
    ```

    The rule simulates several launches of the kernel. In each of these launches, all parameters
    have the same value. A wait is reported only if the block size is known, if all relevant
    branches and addresses depend only on the parameters and the thread index, and if the wait never
    ends in any of these launches. If a cluster has at most four blocks, the rule simulates them
    together. The rule also reports an arrival beyond the number that the current phase of a barrier
    or an mbarrier object expects, and a `tcgen05.alloc` that waits although no warp frees Tensor
    Memory.

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
        mov.b32 %r4, 0;
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
    fault = mismatch.fault
    if isinstance(fault, WrongArrival):
        return Finding(_wrong_arrival(fault))
    message = _endless(fault)
    if fault.n_threads:
        message += f"; this assumes blocks of {fault.n_threads} threads"
    related = [Related(*each, "other threads wait here forever") for each in mismatch.others[:3]]
    if mismatch.init is not None:
        related.append(Related(*mismatch.init, "the mbarrier object is initialised here"))
    return Finding(message, related=tuple(related))


def _wrong_arrival(fault: WrongArrival) -> str:
    if fault.n_threads == fault.expected:
        return f"this warp has already arrived at barrier {fault.number} in this phase"
    own, others = (it or "all" for it in (fault.n_threads, fault.expected))
    return (
        f"this instruction expects {own} threads at barrier {fault.number}, but other warps arrive "
        f"in the same phase and expect {others} threads"
    )


def _endless(stuck: StuckWait) -> str:
    phase = f"phase {stuck.phase} of the mbarrier object"
    if stuck.number is not None:
        return (
            f"this instruction waits forever: {stuck.pending} of {stuck.count} expected threads "
            f"never arrive at barrier {stuck.number}"
        )
    if stuck.init is None and not stuck.count:
        return (
            "this instruction waits forever: no columns of Tensor Memory are left, and no warp "
            "frees any"
        )
    if stuck.init is None:
        return (
            f"this instruction waits forever: {stuck.pending} of {stuck.count} expected threads "
            "never arrive at the cluster barrier"
        )
    arrivals = counted(stuck.count, "arrival")
    if stuck.pending < 0:
        return f"this arrival is one too many: {phase} expects {arrivals}"
    if stuck.pending:
        found = stuck.count - stuck.pending
        given = f"receives only {found}" if found else "receives none"
        return f"this instruction waits forever: {phase} expects {arrivals}, but {given}"
    return (
        f"this instruction waits forever: {stuck.n_bytes:,} of the bytes that `expect_tx` "
        f"announces for {phase} never arrive"
    )
