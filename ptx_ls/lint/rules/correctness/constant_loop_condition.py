"""The rule constant-loop-condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.flow.constant_exits import constant_exits
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.statement_uses import name_span
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class ConstantLoopCondition(NamedTuple):
    """The guard of the branch that decides whether a loop continues.

    `label`: the label at the start of the loop, or "". `head`: the place of the label.
    """

    register: str
    label: str
    head: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[ConstantLoopCondition]:
    """Yields the last condition of each loop that ends at once or never."""
    if not is_understood(seen.function, seen.text):
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    for head, guard in constant_exits(flow, is_quick=seen.is_generated):
        if seen.is_generated and _runs_once(head, seen):
            continue
        label = next(iter(flow.graph.labels.get(head, ())), "")
        begin = flow.graph.starts[head]
        start, end = name_span(flow, guard)[0]
        place = begin, along(begin, len(label))
        yield ConstantLoopCondition(flow.name_of(guard), label, place, start, end)


def _runs_once(head: int, seen: CheckInput) -> bool:
    """Whether a constant ends a loop after one iteration, as in `do { ... } while (0)`."""
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    return head not in function_values(seen.function, seen.module).graph.loop_forest.heads


@rule(
    "constant-loop-condition",
    on=ConstantLoopCondition,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("bra"),
)
def constant_loop_condition(mismatch: ConstantLoopCondition, _: RuleContext) -> Finding:
    """Reports a loop whose condition never changes.

    ## Why is this bad?
    If no instruction in a loop changes the registers that the loop condition depends on, the loop
    ends after one iteration or never. Usually, the loop does not increase its counter, or compares
    the wrong register. A loop that waits for memory, for other threads or for a point in time is
    not reported. In compiler output, a loop that a constant ends after one iteration is not
    reported either, because debug builds keep `do { ... } while (0)`.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry fill(.param .b64 values, .param .b32 count)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [values];
        ld.param.b32 %r2, [count];
        mov.b32 %r1, 0;
    next:
        st.global.b32 [%rd1], %r2;
        add.s64 %rd1, %rd1, 4;
        setp.lt.s32 %p1, %r1, %r2;
        @%p1 bra next;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry fill(.param .b64 values, .param .b32 count)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [values];
        ld.param.b32 %r2, [count];
        mov.b32 %r1, 0;
    next:
        st.global.b32 [%rd1], %r2;
        add.s64 %rd1, %rd1, 4;
        add.s32 %r1, %r1, 1;
        setp.lt.s32 %p1, %r1, %r2;
        @%p1 bra next;
        ret;
    }
    ```
    """
    name = mismatch.register
    related = Related(*mismatch.head, "the loop begins here")
    return Finding(
        f"`{name}` never changes in the loop, so the loop ends after one iteration or never",
        related=(related,) if mismatch.label else (),
    )
