"""The rule overwritten-accumulator.

Source: PTX ISA, "wgmma.wait_group": accesses to the registers of a `wgmma.mma_async` before a wait
for its group are undefined. ptxas waits before a read, but not before a plain write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.flow.statement_uses import name_span
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Related,
    Repair,
    RuleContext,
    SpanEdit,
    rule,
)
from ptx_ls.protocols.matrix_groups import OPCODE, computes, matrix_groups
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class OverwrittenAccumulator(NamedTuple):
    """A write of a register that a matrix instruction may still write.

    `origin`: the matrix instruction. `is_committed`: whether it is in a group. `statement`: the
    start of the instruction that overwrites the register.
    """

    register: str
    origin: FunctionSpan
    is_committed: bool
    statement: FunctionPosition
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[OverwrittenAccumulator]:
    """Yields the first overwrite of a result of each matrix instruction that is not done."""
    if not computes(seen.text) or not is_understood(seen.function, seen.text):
        return
    groups = matrix_groups(seen.function, seen.module)
    reported = set()
    for each in groups.early_accesses:
        if each.origin.start not in reported and groups.is_overwrite(each):
            reported.add(each.origin.start)
            if groups.is_read_at_once(each.number):
                continue
            (start, end), access = name_span(groups.flow, each.use)
            yield OverwrittenAccumulator(
                access.name,
                (each.origin.start, each.origin.end),
                each.is_committed,
                groups.flow.statement(each.use).start,
                start,
                end,
            )


@rule(
    "overwritten-accumulator",
    on=OverwrittenAccumulator,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def overwritten_accumulator(mismatch: OverwrittenAccumulator, _: RuleContext) -> Finding:
    """Reports a result of `wgmma.mma_async` that is overwritten before the instruction is complete.

    ## Why is this bad?
    `wgmma.mma_async` only starts a computation. Until a `wgmma.wait_group` waits for its group, the
    instruction may still read and write its registers. ptxas inserts a wait before an instruction
    that reads such a register, but not before an instruction that only writes the register. Either
    of the two values may then remain.

    ```text
    wgmma.fence ─▶ wgmma.mma_async ─▶ wgmma.commit_group ─▶ wgmma.wait_group 0 ─▶ free
                   └────────── the registers are in use ──────────┘
    ```

    ## Example
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 a, .param .b64 b, .param .b64 result)
    .reqntid 128
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [a];
        ld.param.b64 %rd2, [b];
        ld.param.b64 %rd3, [result];
        mov.f32 %f1, 0f00000000;
        mov.f32 %f2, 0f00000000;
        mov.f32 %f3, 0f00000000;
        mov.f32 %f4, 0f00000000;
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        mov.f32 %f1, 0f00000000;
        wgmma.wait_group.sync.aligned 0;
        st.global.v4.f32 [%rd3], {%f1, %f2, %f3, %f4};
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 a, .param .b64 b, .param .b64 result)
    .reqntid 128
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [a];
        ld.param.b64 %rd2, [b];
        ld.param.b64 %rd3, [result];
        mov.f32 %f1, 0f00000000;
        mov.f32 %f2, 0f00000000;
        mov.f32 %f3, 0f00000000;
        mov.f32 %f4, 0f00000000;
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        wgmma.wait_group.sync.aligned 0;
        mov.f32 %f1, 0f00000000;
        st.global.v4.f32 [%rd3], {%f1, %f2, %f3, %f4};
        ret;
    }
    ```
    """
    wait = "wgmma.wait_group.sync.aligned 0; "
    commit = "" if mismatch.is_committed else "wgmma.commit_group.sync.aligned; "
    edit = SpanEdit(mismatch.statement, mismatch.statement, commit + wait)
    return Finding(
        f"this instruction overwrites `{mismatch.register}` while a `wgmma.mma_async` may still "
        "write it: no `wgmma.wait_group` is in between, so either value may remain",
        repairs=(Repair("Insert `wgmma.wait_group` before this instruction", (edit,)),),
        related=(
            Related(*mismatch.origin, f"this instruction may still write `{mismatch.register}`"),
        ),
    )
