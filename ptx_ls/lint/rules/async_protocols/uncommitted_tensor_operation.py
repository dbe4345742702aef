"""The rule uncommitted-tensor-operation.

Source: PTX ISA, "tcgen05.commit".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.protocols.broken_protocol import BrokenProtocol, broken_at_origin, is_about
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.protocols.tensor_memory import OPCODE, tensor_memory
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "uncommitted-tensor-operation"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the operations of a function that no mbarrier object tracks."""
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
def uncommitted_tensor_operation(mismatch: BrokenProtocol, _: RuleContext) -> Finding:
    """Reports a `tcgen05.mma`, `tcgen05.cp` or `tcgen05.shift` without a `tcgen05.commit` after it.

    ## Why is this bad?
    These instructions are asynchronous. Only a `tcgen05.commit` of the same thread makes an
    mbarrier object track them. Without the commit, no thread can wait for them.

    ```text
    tcgen05.mma ─▶ tcgen05.commit [m] ─▶ mbarrier.try_wait [m]
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
        setp.eq.u32 %p1, %r2, 0;
        ld.global.v2.b64 {%rd2, %rd3}, [%rd1];
        @%p1 tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd2, %rd3, %r2, 0;
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
        setp.eq.u32 %p1, %r2, 0;
        ld.global.v2.b64 {%rd2, %rd3}, [%rd1];
        mov.u32 %r5, empty;
        cvt.u64.u32 %rd4, %r5;
        @%p1 tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd2, %rd3, %r2, 0;
        @%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%rd4];
        ret;
    }
    ```
    """
    opcode = mismatch.opcode
    return Finding(
        f"no `tcgen05.commit` follows `{opcode}` in the same thread, so no thread can wait for it"
    )
