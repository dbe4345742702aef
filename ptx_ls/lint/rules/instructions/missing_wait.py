"""The rule missing-wait.

Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". If a result of
`wgmma.mma_async` is read before a `wgmma.wait_group`, ptxas inserts one when it generates code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.flow.statement_uses import name_span
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.matrix_groups import OPCODE, computes, matrix_groups
from ptx_ls.semantics.calls.call_sites import position, statements_with
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMPUTES: Final = "wgmma.mma_async"
_DEBUG: Final = "debug"
_WAITS: Final = "wgmma.wait_group"


class MissingWait(NamedTuple):
    """An access to a register that a matrix instruction may still use.

    If no instruction of the function waits, `register` is "" and the place is that of the matrix
    instruction.

    Attributes:
        register: the register.
        origin: the matrix instruction.
        is_read: whether the access reads a result; else it overwrites a source.
        is_committed: whether the matrix instruction is in a group.
    """

    register: str
    origin: FunctionSpan
    is_read: bool
    is_committed: bool
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[MissingWait]:
    """Yields the first place of a function where ptxas has to wait for a matrix instruction."""
    text = seen.text
    if not computes(text) or not text.is_whole or _DEBUG in seen.module.context.target:
        return  # a compiler that does not optimise stores each result at once
    if any(shape.opcode.startswith(_WAITS) for shape in text.shapes_of((OPCODE,))):
        if is_understood(seen.function, text):
            yield from _early(seen)
        return
    for found in statements_with(text, frozenset({OPCODE})):
        start = found.text.find(_COMPUTES)
        if start >= 0:
            places = position(found, start), position(found, start + len(_COMPUTES))
            yield MissingWait("", places, True, True, *places)
            return


def _early(seen: CheckInput) -> Iterator[MissingWait]:
    groups = matrix_groups(seen.function, seen.module)
    for each in groups.early_accesses:
        if not groups.is_overwrite(each):
            (start, end), access = name_span(groups.flow, each.use)
            origin = each.origin.start, each.origin.end
            is_read = each.is_result
            yield MissingWait(access.name, origin, is_read, each.is_committed, start, end)
            return


@rule(
    "missing-wait",
    on=MissingWait,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(OPCODE),
)
def missing_wait(mismatch: MissingWait, _: RuleContext) -> Finding:
    """Reports a `wgmma.mma_async` register that is used before `wgmma.wait_group`.

    ## Why is this bad?
    `wgmma.mma_async` is asynchronous, and its registers must not be used before it completes. ptxas
    inserts the missing wait and prints a message. It may also serialise the `wgmma` instructions,
    which makes the kernel slower.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 a, .param .b64 b, .param .b64 result)
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
        st.global.f32 [%rd3], %f1;
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
        st.global.f32 [%rd3], %f1;
        ret;
    }
    ```
    """
    if not mismatch.register:
        return Finding("no `wgmma.wait_group` in this function waits for `wgmma.mma_async`")
    related = (Related(*mismatch.origin, "this instruction may still use the register"),)
    if not mismatch.is_read:
        return Finding(
            f"`{mismatch.register}` is overwritten while `wgmma.mma_async` may still read it, with "
            "no `wgmma.wait_group` in between",
            related=related,
        )
    return Finding(
        f"`{mismatch.register}` is read while `wgmma.mma_async` may still write it, with "
        "no `wgmma.wait_group` in between",
        related=related,
    )
