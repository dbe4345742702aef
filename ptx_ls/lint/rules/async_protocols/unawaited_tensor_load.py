"""The rule unawaited-tensor-load.

Source: PTX ISA, "tcgen05.ld", "tcgen05.wait".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.protocols.broken_protocol import (
    BrokenProtocol,
    broken_at_origin,
    is_about,
    with_statement_between,
)
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, related_at, rule
from ptx_ls.protocols.tensor_memory import OPCODE, tensor_memory
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_WAIT = "tcgen05.wait::ld.sync.aligned;"
_NAME = "unawaited-tensor-load"

_WHERE = {
    "release": "the thread arrives at another mbarrier object here",
    "overwrite": "the thread writes Tensor Memory here",
    "wait for others": "the thread waits for others here",
    "free": "Tensor Memory is freed here",
}


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the loads of a function that are not waited for."""
    if is_understood(seen.function, seen.text):
        memory = tensor_memory(seen.function, seen.module)
        yield from broken_at_origin(_NAME, memory.sites, memory.violations)


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def unawaited_tensor_load(mismatch: BrokenProtocol, context: RuleContext) -> Finding:
    """Reports a `tcgen05.ld` that nothing waits for before other threads may overwrite its source.

    ## Why is this bad?
    `tcgen05.ld` is asynchronous. An instruction that reads a destination register of the load waits
    for the load, but a barrier, an arrival at an mbarrier object and `tcgen05.dealloc` do not wait.
    If a lane has not yet read all destination registers, other threads may overwrite or free the
    Tensor Memory before the load reads it. `tcgen05.wait::ld` waits for all earlier `tcgen05.ld` of
    the executing thread.

    ```text
    tcgen05.ld ─▶ tcgen05.wait::ld ─▶ bar.sync, mbarrier.arrive, tcgen05.dealloc
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
        setp.lt.u32 %p1, %r2, 16;
        mov.u32 %r5, empty;
        setp.eq.u32 %p2, %r2, 0;
        @%p2 mbarrier.init.shared::cta.b64 [%r5], 128;
        bar.sync 0;
        tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r1];
        mbarrier.arrive.shared::cta.b64 _, [%r5];
        @%p1 st.global.v2.b32 [%rd1], {%r3, %r4};
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
        setp.lt.u32 %p1, %r2, 16;
        mov.u32 %r5, empty;
        setp.eq.u32 %p2, %r2, 0;
        @%p2 mbarrier.init.shared::cta.b64 [%r5], 128;
        bar.sync 0;
        tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r1];
        tcgen05.wait::ld.sync.aligned;
        mbarrier.arrive.shared::cta.b64 _, [%r5];
        @%p1 st.global.v2.b32 [%rd1], {%r3, %r4};
        ret;
    }
    ```
    """
    return Finding(
        f"{mismatch.why}: insert `tcgen05.wait::ld` after the load",
        related=related_at(mismatch.other, _WHERE.get(mismatch.event, "")),
        repairs=with_statement_between(mismatch, _WAIT, context),
    )
