"""The rule overwritten-result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.flow.dead_results import dead_results
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.semantics.symbols.inline_assembly import InlineAssembly
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Applicability, Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class OverwrittenResult(NamedTuple):
    """An instruction whose result is replaced before anything reads it, by that at `replaced`.

    `is_set_up`: as in `DeadResult`.
    """

    register: str
    is_set_up: bool
    replaced: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[OverwrittenResult]:
    """Yields the instructions of a function whose results are replaced before they are read.

    Compilers give each result its own register, but do not look into inline assembly.
    """
    if not is_understood(seen.function, seen.text):
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    assembly = InlineAssembly(seen.text)
    for found, _, write, is_set_up, replaced in dead_results(flow):
        if replaced is not None:
            other = flow.statement(replaced)
            rows = found.start[0], other.start[0]
            if seen.is_generated and any(map(assembly.contains, rows)):
                continue
            place = other.start, other.end
            name = flow.name_of(write)
            yield OverwrittenResult(name, is_set_up, place, found.start, found.end)


@rule(
    "overwritten-result",
    on=OverwrittenResult,
    severity=Severity.INFORMATION,
    find=find,
)
def overwritten_result(mismatch: OverwrittenResult, context: RuleContext) -> Finding:
    """Reports a result that is replaced before anything reads it.

    ## Why is this bad?
    The first instruction has no effect. Usually, one of the two instructions should write another
    register.

    ## Example
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.b32 %r1, %tid.x;
        mov.b32 %r1, %ntid.x;
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
        mov.b32 %r2, %ntid.x;
        add.s32 %r1, %r1, %r2;
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```
    """
    from ptx_ls.lint.fixes.statements import without_statement  # noqa: PLC0415  not for correct code

    return Finding(
        f"`{mismatch.register}` is written again before anything reads it",
        severity=Severity.HINT if mismatch.is_set_up else None,
        repairs=without_statement(
            mismatch.start, mismatch.end, context, "the instruction", Applicability.UNSAFE
        ),
        related=(Related(*mismatch.replaced, f"`{mismatch.register}` is written again here"),),
        tags=frozenset({Tag.UNNECESSARY}),
    )
