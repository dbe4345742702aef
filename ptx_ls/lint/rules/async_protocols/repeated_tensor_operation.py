"""The rule repeated-tensor-operation.

Source: PTX ISA, "tcgen05.mma", "tcgen05.cp", "tcgen05.commit": one thread executes them. ptxas
generates a loop over the lanes that do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.protocols.broken_protocol import opcode_of
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.protocols.tensor_memory import OPCODE, tensor_memory
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class RepeatedTensorOperation(NamedTuple):
    """An operation of one thread that `lanes` lanes of a warp execute."""

    opcode: str
    lanes: int
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[RepeatedTensorOperation]:
    """Yields the operations of a function that several lanes of a warp surely execute."""
    if is_understood(seen.function, seen.text):
        for site, lanes in tensor_memory(seen.function, seen.module).repeated():
            opcode, start, end = opcode_of(site)
            yield RepeatedTensorOperation(opcode, lanes, start, end)


@rule(
    "repeated-tensor-operation",
    on=RepeatedTensorOperation,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def repeated_tensor_operation(mismatch: RepeatedTensorOperation, _: RuleContext) -> Finding:
    """Reports a `tcgen05` operation for one thread that all lanes of a warp execute.

    ## Why is this bad?
    One thread must execute `tcgen05.mma`, `tcgen05.cp`, `tcgen05.shift` and `tcgen05.commit` for
    the whole block. If several lanes execute such an instruction, each lane starts a separate
    operation: a product is added several times, and a commit arrives several times at its mbarrier
    object. Choose a thread with `elect.sync`, or by its index.

    ```text
     warp ──▶ elect.sync ──▶ one lane  ──▶ tcgen05.mma ──▶ tcgen05.commit [mbar]
                        └──▶ the others ─────────────────▶ mbarrier.try_wait [mbar]
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
        .shared .align 8 .b64 full;
        ld.param.b32 %r1, [address];
        ld.param.b64 %rd1, [result];
        mov.u32 %r2, %tid.x;
        ld.global.v2.b64 {%rd2, %rd3}, [%rd1];
        mov.u32 %r5, full;
        cvt.u64.u32 %rd4, %r5;
        setp.eq.u32 %p1, %r2, 0;
        @%p1 mbarrier.init.shared::cta.b64 [%r5], 1;
        bar.sync 0;
        tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd2, %rd3, %r2, 0;
        @%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%rd4];
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
        ld.global.v2.b64 {%rd2, %rd3}, [%rd1];
        mov.u32 %r5, full;
        cvt.u64.u32 %rd4, %r5;
        setp.eq.u32 %p1, %r2, 0;
        @%p1 mbarrier.init.shared::cta.b64 [%r5], 1;
        bar.sync 0;
        @%p1 tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd2, %rd3, %r2, 0;
        @%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%rd4];
        ret;
    }
    ```
    """
    return Finding(
        f"{mismatch.lanes} lanes of a warp execute `{mismatch.opcode}`, and each of them starts a "
        "separate operation: only one thread should execute this instruction"
    )
