"""The rule missing-register-fence.

Source: PTX ISA, "wgmma.fence": it must come before the first `wgmma.mma_async`, and between an
access to a register and a `wgmma.mma_async` that uses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.matrix_groups import OPCODE, computes, matrix_groups
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMPUTES = "wgmma.mma_async"


class MissingRegisterFence(NamedTuple):
    """A matrix instruction without a `wgmma.fence` before it.

    `register`: a register that it uses, and that is written after the last fence; "" if the kernel
    has no fence before the instruction. `write`: the instruction that writes the register.
    """

    register: str
    write: FunctionSpan | None
    statement: FunctionPosition
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[MissingRegisterFence]:
    """Yields the matrix instructions of a function that need a fence before them."""
    if not computes(seen.text) or not is_understood(seen.function, seen.text):
        return
    groups = matrix_groups(seen.function, seen.module)
    if not groups.is_kernel:
        return
    for site, write in groups.unfenced:
        if write is not None and seen.is_generated:
            continue  # compilers move copies across the inline assembly with the fence
        found = site.found
        start = along(found.start, max(found.text.find(_COMPUTES), 0))
        end = along(start, len(_COMPUTES))
        name, span = "", None
        if write is not None:
            statement = groups.flow.statement(write)
            name, span = groups.flow.name_of(write), (statement.start, statement.end)
        yield MissingRegisterFence(name, span, found.start, start, end)


@rule(
    "missing-register-fence",
    on=MissingRegisterFence,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def missing_register_fence(mismatch: MissingRegisterFence, context: RuleContext) -> Finding:
    """Reports a `wgmma.mma_async` without a `wgmma.fence` before it.

    ## Why is this bad?
    `wgmma.mma_async` accesses registers asynchronously. Only a `wgmma.fence` orders earlier
    accesses to its accumulator registers, and to the registers that hold matrix A, before the
    instruction. Without the fence, the behaviour is undefined. A fence is needed before the first
    `wgmma.mma_async`, and again after other instructions have written these registers. Successive
    instructions that accumulate with the same shape need no fence in between. ptxas may insert a
    missing fence, but not every version does.

    ```text
    write of registers ─▶ wgmma.fence ─▶ wgmma.mma_async ─▶ ... ─▶ wgmma.wait_group ─▶ read, write
                               ▲                                                           │
                               └───────────────────────────────────────────────────────────┘
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
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd1, %rd2, 0, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
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
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd1, %rd2, 0, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        wgmma.wait_group.sync.aligned 0;
        st.global.v4.f32 [%rd3], {%f1, %f2, %f3, %f4};
        ret;
    }
    ```
    """
    repairs = with_statements_ahead(mismatch.statement, ["wgmma.fence.sync.aligned;"], context)
    if mismatch.write is None:
        return Finding("no `wgmma.fence` comes before this `wgmma.mma_async`", repairs=repairs)
    return Finding(
        f"`wgmma.mma_async` uses `{mismatch.register}`, which is written after the last "
        "`wgmma.fence`",
        repairs=repairs,
        related=(Related(*mismatch.write, "this write comes after the fence"),),
    )
