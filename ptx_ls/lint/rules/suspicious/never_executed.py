"""The rule never-executed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.flow.block_ends import instructions
from ptx_ls.flow.decided_guards import decided_guards
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found


class NeverExecuted(NamedTuple):
    """Instructions that never run, although a path leads to them.

    `guard`: the guard as written. `is_same`: as in `DecidedGuard`. `branch`: the branch that is
    always taken before them; None if it is their own guard, which never holds.
    """

    guard: str
    is_same: bool
    branch: FunctionSpan | None
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[NeverExecuted]:
    """Yields what guards keep from running, because earlier branches decide them."""
    if not is_understood(seen.function, seen.text):
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    for guard, holds, is_same in decided_guards(flow):
        found = flow.statement(guard)
        is_negated = flow.index.guard(guard)
        written = f"@{'!' if is_negated and is_negated.is_negated else ''}{flow.name_of(guard)}"
        if not holds:
            yield NeverExecuted(written, is_same, None, found.start, found.end)
            continue
        after = _after(guard, found, flow)
        if after:
            span = found.start, found.end
            yield NeverExecuted(written, is_same, span, after[0].start, after[-1].end)


def _after(guard: int, found: Found, flow: FunctionFlow) -> list[Found]:
    """Returns the instructions that only run if an instruction is a branch and not taken."""
    graph, block = flow.graph, flow.index.block_of(guard)
    if found.end != graph.stops[block] or graph.predecessors[block + 1] != [block]:
        return []
    return [*instructions(flow.text, graph, block + 1)]


@rule(
    "never-executed",
    on=NeverExecuted,
    severity=Severity.INFORMATION,
    find=find,
    in_compiler_output=None,
)
def never_executed(mismatch: NeverExecuted, _: RuleContext) -> Finding:
    """Reports instructions that never run because of an earlier branch on the same condition.

    ## Why is this bad?
    After `@%p1 bra a;`, the predicate `%p1` is false. The guard `@%p1` is therefore always false
    after the branch, and no statement after `@!%p1 bra b;` runs. Perhaps a guard has one `!` too
    many, or another predicate was meant.

    A branch that is never taken because it repeats an earlier comparison is reported only as a
    hint, because a program may check a bound twice for safety.

    ## Example
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.b32 %r1, %tid.x;
        setp.lt.u32 %p1, %r1, 32;
        @%p1 bra small;
        @!%p1 bra done;
        st.global.b32 [%rd1+4], %r1;
    small:
        st.global.b32 [%rd1], %r1;
    done:
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<3>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.b32 %r1, %tid.x;
        setp.lt.u32 %p1, %r1, 32;
        @%p1 bra small;
        setp.gt.u32 %p2, %r1, 64;
        @%p2 bra done;
        st.global.b32 [%rd1+4], %r1;
    small:
        st.global.b32 [%rd1], %r1;
    done:
        ret;
    }
    ```
    """
    tags = frozenset({Tag.UNNECESSARY})
    severity = None if mismatch.is_same or mismatch.branch is not None else Severity.HINT
    if mismatch.branch is None:
        message = (
            f"never executed: the guard `{mismatch.guard}` is always false after an earlier branch"
        )
        return Finding(message, severity=severity, tags=tags)
    return Finding(
        "never executed: the branch before this code is always taken, because its guard "
        f"`{mismatch.guard}` is always true",
        related=(Related(*mismatch.branch, "this branch is always taken"),),
        tags=tags,
    )
