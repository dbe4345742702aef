"""The rule missing-tensor-fence.

Source: PTX ISA, "tcgen05.fence".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.protocols.broken_protocol import BrokenProtocol, broken_at_event, is_about
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, related_at, rule
from ptx_ls.protocols.tensor_fences import is_relaxed, tensor_fences
from ptx_ls.protocols.tensor_memory import OPCODE
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "missing-tensor-fence"
_AFTER, _BEFORE = "tcgen05.fence::after_thread_sync", "tcgen05.fence::before_thread_sync"
_ARRIVAL = "relaxed arrival"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields what relaxed synchronisation should order with operations on Tensor Memory."""
    if is_relaxed(seen.text) and is_understood(seen.function, seen.text):
        fences = tensor_fences(seen.function, seen.module)
        yield from broken_at_event(_NAME, fences.sites, fences.violations())


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def missing_tensor_fence(mismatch: BrokenProtocol, context: RuleContext) -> Finding:
    """Reports a `.relaxed` wait or arrival that does not order `tcgen05` instructions.

    ## Why is this bad?
    A wait on an mbarrier object acquires, and an arrival releases, unless they are `.relaxed`. A
    relaxed wait or arrival orders nothing. `tcgen05.fence::after_thread_sync` after a relaxed wait
    keeps later `tcgen05` instructions after the wait, and `tcgen05.fence::before_thread_sync`
    before a relaxed arrival keeps earlier `tcgen05` instructions before the arrival. Without the
    fence, a `tcgen05.ld` may read an accumulator that is not complete, and another thread may
    overwrite Tensor Memory that is still in use.

    ```text
    tcgen05.st ─▶ tcgen05.wait::st ─▶ tcgen05.fence::before_thread_sync
      ─▶ mbarrier.arrive.relaxed
        ─▶ mbarrier.try_wait.relaxed
          ─▶ tcgen05.fence::after_thread_sync ─▶ tcgen05.ld, tcgen05.mma
    ```

    Any other fence, a barrier, and a wait or arrival that is not relaxed also order these
    instructions.

    ## Example
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel(.param .b32 address, .param .b64 result)
    .reqntid 128
    {
        .reg .pred %p<3>;
        .reg .b32 %r<8>;
        .reg .b64 %rd<5>;
        .shared .align 8 .b64 full;
        ld.param.b32 %r1, [address];
        ld.param.b64 %rd1, [result];
        mov.u32 %r2, %tid.x;
        mov.u32 %r5, full;
        setp.eq.u32 %p2, %r2, 0;
        @%p2 mbarrier.init.shared::cta.b64 [%r5], 1;
        bar.sync 0;
        @%p2 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r5];
    again:
        mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 %p1, [%r5], 0;
        @!%p1 bra again;
        tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r6}, [%r1];
        tcgen05.wait::ld.sync.aligned;
        mul.wide.u32 %rd2, %r2, 4;
        add.s64 %rd3, %rd1, %rd2;
        st.global.b32 [%rd3], %r6;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel(.param .b32 address, .param .b64 result)
    .reqntid 128
    {
        .reg .pred %p<3>;
        .reg .b32 %r<8>;
        .reg .b64 %rd<5>;
        .shared .align 8 .b64 full;
        ld.param.b32 %r1, [address];
        ld.param.b64 %rd1, [result];
        mov.u32 %r2, %tid.x;
        mov.u32 %r5, full;
        setp.eq.u32 %p2, %r2, 0;
        @%p2 mbarrier.init.shared::cta.b64 [%r5], 1;
        bar.sync 0;
        @%p2 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r5];
    again:
        mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 %p1, [%r5], 0;
        @!%p1 bra again;
        tcgen05.fence::after_thread_sync;
        tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r6}, [%r1];
        tcgen05.wait::ld.sync.aligned;
        mul.wide.u32 %rd2, %r2, 4;
        add.s64 %rd3, %rd1, %rd2;
        st.global.b32 [%rd3], %r6;
        ret;
    }
    ```
    """
    start = mismatch.statement[0]
    if mismatch.event == _ARRIVAL:
        return Finding(
            f"this arrival is relaxed, so it does not order the earlier "
            f"`{mismatch.other_opcode}`: insert `{_BEFORE}` before the arrival",
            related=related_at(
                mismatch.other, "no fence or release orders this instruction before the arrival"
            ),
            repairs=with_statements_ahead(start, [f"{_BEFORE};"], context),
        )
    return Finding(
        f"`{mismatch.opcode}` may start before the wait is over, because the wait is relaxed: "
        f"insert `{_AFTER}` after the wait",
        related=related_at(mismatch.other, "this wait orders nothing"),
        repairs=with_statements_ahead(start, [f"{_AFTER};"], context),
    )
