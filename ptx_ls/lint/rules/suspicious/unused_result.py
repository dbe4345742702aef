"""The rule unused-result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.flow.dead_results import dead_results
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Applicability, Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class UnusedResult(NamedTuple):
    """An instruction that only writes registers, which nothing reads after it.

    `register`: the first of them. `is_set_up`: as in `DeadResult`.
    """

    opcode: str
    register: str
    is_set_up: bool
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[UnusedResult]:
    """Yields the instructions of a function whose results nothing reads."""
    if not is_understood(seen.function, seen.text):
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    for found, opcode, write, is_set_up, replaced in dead_results(flow):
        if replaced is None:
            name = flow.name_of(write)
            yield UnusedResult(opcode, name, is_set_up, found.start, found.end)


@rule(
    "unused-result",
    on=UnusedResult,
    severity=Severity.INFORMATION,
    find=find,
    in_compiler_output=None,
)
def unused_result(mismatch: UnusedResult, context: RuleContext) -> Finding:
    """Reports an instruction whose result is never read.

    ## Why is this bad?
    The instruction has no effect, and the assembler removes it. Often, a later instruction reads
    another register than it should. Instructions that do more than write registers are not
    reported. Those that only read a parameter or a special register are reported as a hint, because
    many kernels begin with more of these than they need.

    ## Example
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.b32 %r1, %tid.x;
        add.s32 %r2, %r1, 1;
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.b32 %r1, %tid.x;
        add.s32 %r2, %r1, 1;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    from ptx_ls.lint.fixes.statements import without_statement  # noqa: PLC0415  not for correct code

    name = mismatch.register
    return Finding(
        severity=Severity.HINT if mismatch.is_set_up else None,
        message=f"result of `{mismatch.opcode}` is never used: nothing reads `{name}` later",
        repairs=without_statement(
            mismatch.start, mismatch.end, context, "the instruction", Applicability.UNSAFE
        ),
        tags=frozenset({Tag.UNNECESSARY}),
    )
