"""The rule unawaited-tensor-store.

Source: PTX ISA, "tcgen05.st", "tcgen05.wait".
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

_WAIT = "tcgen05.wait::st.sync.aligned;"
_NAME = "unawaited-tensor-store"

_WHERE = {
    "hand over": "the thread arrives at another barrier here",
    "proceed": "the thread continues here",
    "free": "Tensor Memory is freed here",
    "read": "this instruction may read old data",
}


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the stores of a function that are not waited for."""
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
def unawaited_tensor_store(mismatch: BrokenProtocol, context: RuleContext) -> Finding:
    """Reports a `tcgen05.st` that nothing waits for before its result is used.

    ## Why is this bad?
    `tcgen05.st` is asynchronous. Only `tcgen05.wait::st` waits until the stores of a thread are in
    Tensor Memory; a barrier or an arrival at an mbarrier object does not. Without the wait, other
    threads, later loads and matrix products may read old data.

    ```text
    tcgen05.st ─▶ tcgen05.wait::st ─▶ tcgen05.fence::before_thread_sync
      ─▶ bar.sync, mbarrier.arrive ─▶ tcgen05.fence::after_thread_sync ─▶ tcgen05.ld, tcgen05.mma
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
        setp.eq.u32 %p2, %r2, 0;
        @%p2 mbarrier.init.shared::cta.b64 [%r5], 128;
        bar.sync 0;
        tcgen05.st.sync.aligned.32x32b.x2.b32 [%r1], {%r2, %r2};
        mbarrier.arrive.shared::cta.b64 _, [%r5];
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
        setp.eq.u32 %p2, %r2, 0;
        @%p2 mbarrier.init.shared::cta.b64 [%r5], 128;
        bar.sync 0;
        tcgen05.st.sync.aligned.32x32b.x2.b32 [%r1], {%r2, %r2};
        tcgen05.wait::st.sync.aligned;
        tcgen05.fence::before_thread_sync;
        mbarrier.arrive.shared::cta.b64 _, [%r5];
        ret;
    }
    ```
    """
    return Finding(
        f"{mismatch.why}: insert `tcgen05.wait::st` after the store",
        related=related_at(mismatch.other, _WHERE.get(mismatch.event, "")),
        repairs=with_statement_between(mismatch, _WAIT, context),
    )
