"""The rule uncommitted-matrix.

Source: PTX ISA, "wgmma.commit_group": a wait only waits for operations in groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Repair,
    RuleContext,
    related_at,
    rule,
)
from ptx_ls.protocols.matrix_groups import OPCODE, computes, matrix_groups
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan

_COMPUTES = "wgmma.mma_async"
_COMMIT = "wgmma.commit_group.sync.aligned;"


class UncommittedMatrix(NamedTuple):
    """A matrix instruction that no group contains. `wait`: a wait after it, if there is one."""

    wait: FunctionSpan | None
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[UncommittedMatrix]:
    """Yields the first matrix instruction of a function after which no path has a commit."""
    if not computes(seen.text) or not is_understood(seen.function, seen.text):
        return
    groups = matrix_groups(seen.function, seen.module)
    if not groups.is_kernel:
        return
    for each in groups.uncommitted[:1]:
        start = along(each.found.start, max(each.found.text.find(_COMPUTES), 0))
        yield UncommittedMatrix(groups.wait_after(each), start, along(start, len(_COMPUTES)))


@rule(
    "uncommitted-matrix",
    on=UncommittedMatrix,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def uncommitted_matrix(mismatch: UncommittedMatrix, context: RuleContext) -> Finding:
    """Reports a `wgmma.mma_async` that no `wgmma.commit_group` puts into a group.

    ## Why is this bad?
    `wgmma.wait_group` waits only for groups. If no `wgmma.commit_group` follows a
    `wgmma.mma_async`, nothing waits for the instruction, and its result must not be used. ptxas may
    insert a missing commit, but not every version does.

    ```text
    wgmma.mma_async ─▶ wgmma.commit_group ─▶ wgmma.wait_group 0
    in no group         in the newest group   done
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
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd1, %rd2, 0, 1, 1, 0, 0;
        wgmma.wait_group.sync.aligned 0;
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
        ret;
    }
    ```
    """
    repairs: tuple[Repair, ...] = ()
    if mismatch.wait is not None:
        repairs = with_statements_ahead(mismatch.wait[0], [_COMMIT], context)
    return Finding(
        "no `wgmma.commit_group` follows this `wgmma.mma_async`, so no instruction waits for it",
        related=related_at(
            mismatch.wait, "this instruction does not wait for the `wgmma.mma_async`"
        ),
        repairs=repairs,
    )
