"""The rule loop-direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.flow.function_flow import function_flow
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along, shifted
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.function_values import function_values
from ptx_ls.values.loops.suspects import may_be_wrong
from ptx_ls.values.loops.wrong_tests import LoopFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.values.loops.wrong_tests import WrongLoopTest


class LoopDirection(NamedTuple):
    """The comparison that decides whether a loop continues, in the wrong direction.

    Attributes:
        fault: what follows from it.
        counter: the operand that the loop changes.
        step: what an iteration adds to it; None if that is only known to be positive.
        first: its value in the first comparison; None if that is unknown.
        label: the label at the start of the loop, or "".
        head: the place of that label.
        start: the place of the operands that are compared.
        end: the end of these.
    """

    fault: LoopFault
    counter: str
    step: int | None
    first: int | None
    label: str
    head: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[LoopDirection]:
    """Yields the tests of loops that end these at once, or only after an overflow."""
    if not is_understood(seen.function, seen.text):
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    for head in sorted(flow.reachable.intersection(flow.blocks.loop_forest.shallow_heads)):
        if seen.is_generated and not may_be_wrong(flow, head):
            continue
        wrong = function_values(seen.function, seen.module).wrong_loop_test(head)
        if wrong is not None:
            label, begin = flow.label_of(head), flow.graph.starts[head]
            yield from _described(wrong, label, (begin, along(begin, len(label))))


def _described(wrong: WrongLoopTest, label: str, head: FunctionSpan) -> Iterator[LoopDirection]:
    found = wrong.held.instruction.found
    if not isinstance(found.record, Shape):
        return
    left, right = written_operands(found.record, found.text)[1:3]
    counter = right.text if wrong.is_mirrored else left.text
    start, end = shifted(left.start, found.start), shifted(right.end, found.start)
    yield LoopDirection(wrong.fault, counter, wrong.step, wrong.first, label, head, start, end)


@rule(
    "loop-direction",
    on=LoopDirection,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("bra"),
)
def loop_direction(mismatch: LoopDirection, _: RuleContext) -> Finding:
    """Reports a loop whose counter moves away from the limit that ends the loop.

    ## Why is this bad?
    If the counter grows in a loop that continues only while the counter is above a limit, the loop
    ends after its first iteration, or when the counter overflows. The comparison or the sign of the
    step is wrong. The step may be a constant, or a number of threads as in `i += gridSize`. The
    rule also reports a loop that continues only while its counter equals a fixed value, and a loop
    that ends only when its counter equals a number that the counter skips.

    Only loops with a single exit are reported. Because programs count unsigned numbers down past 0
    on purpose, a loop that does so is reported only if its first comparison is known to end it.

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
        add.s32 %r1, %r1, 1;
        setp.ge.s32 %p1, %r1, %r2;
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
    counter, step = mismatch.counter, mismatch.step
    moves = f"`{counter}` grows in each iteration"
    if step is not None:
        verb = "grows" if step > 0 else "shrinks"
        moves = f"`{counter}` {verb} by {abs(step):,} per iteration"
    when = "" if mismatch.first is None else f" when `{counter}` is {mismatch.first:,}"
    messages = {
        LoopFault.ONCE: f"the loop ends after one iteration: its condition is already false{when}",
        LoopFault.AWAY: "the loop ends after one iteration, or when the counter overflows: "
        f"{moves}, away from its limit",
        LoopFault.PAST: f"the loop ends only when `{counter}` equals its limit, but {moves} and "
        "passes it",
        LoopFault.EQUAL: f"the loop continues only while `{counter}` equals its limit, but {moves}",
    }
    related = Related(*mismatch.head, "the loop begins here")
    return Finding(messages[mismatch.fault], related=(related,) if mismatch.label else ())
