"""The rule early-tensor-read.

Source: PTX ISA, "tcgen05.mma", "tcgen05.commit".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.protocols.broken_protocol import BrokenProtocol, broken_at_event, is_about
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, related_at, rule
from ptx_ls.protocols.tensor_memory import OPCODE, tensor_memory
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "early-tensor-read"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the loads and deallocations of a function that do not wait for a product."""
    if is_understood(seen.function, seen.text):
        memory = tensor_memory(seen.function, seen.module)
        yield from broken_at_event(_NAME, memory.sites, memory.violations)


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def early_tensor_read(mismatch: BrokenProtocol, _: RuleContext) -> Finding:
    """Reports Tensor Memory that is read or freed while a matrix product may still write it.

    ## Why is this bad?
    `tcgen05.mma` only starts a product. The same thread must then execute `tcgen05.commit`, which
    makes an mbarrier object track the product. Each thread that reads the result must wait in a
    loop for the phase of that mbarrier object. Otherwise, `tcgen05.ld` may return old data.

    ```text
    tcgen05.mma ─▶ tcgen05.commit [m] ─▶ mbarrier.try_wait [m]
      ─▶ tcgen05.fence::after_thread_sync ─▶ tcgen05.ld
    ```

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
        .shared .align 8 .b64 empty;
        ld.param.b32 %r1, [address];
        ld.param.b64 %rd1, [result];
        mov.u32 %r2, %tid.x;
        mov.u32 %r5, empty;
        setp.eq.u32 %p1, %r2, 0;
        ld.global.v2.b64 {%rd2, %rd3}, [%rd1];
        cvt.u64.u32 %rd4, %r5;
        @%p1 mbarrier.init.shared::cta.b64 [%r5], 1;
        bar.sync 0;
        @%p1 tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd2, %rd3, %r2, 0;
        @%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%rd4];
        tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r1];
        tcgen05.wait::ld.sync.aligned;
        st.global.v2.b32 [%rd1], {%r3, %r4};
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
        .shared .align 8 .b64 empty;
        ld.param.b32 %r1, [address];
        ld.param.b64 %rd1, [result];
        mov.u32 %r2, %tid.x;
        mov.u32 %r5, empty;
        setp.eq.u32 %p1, %r2, 0;
        ld.global.v2.b64 {%rd2, %rd3}, [%rd1];
        cvt.u64.u32 %rd4, %r5;
        @%p1 mbarrier.init.shared::cta.b64 [%r5], 1;
        bar.sync 0;
        @%p1 tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd2, %rd3, %r2, 0;
        @%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%rd4];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0;
        @!%p2 bra wait;
        tcgen05.fence::after_thread_sync;
        tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r1];
        tcgen05.wait::ld.sync.aligned;
        st.global.v2.b32 [%rd1], {%r3, %r4};
        ret;
    }
    ```
    """
    return Finding(
        f"{mismatch.why}: no mbarrier wait comes between "
        f"`{mismatch.other_opcode}` and this instruction",
        related=related_at(mismatch.other, "this asynchronous operation may still be running"),
    )
