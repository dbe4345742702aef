"""The rule contradictory-conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.slices.statement_reads import uses_at
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.values.comparisons import result_facts
from ptx_ls.values.contradictions import contradiction
from ptx_ls.values.function_values import function_values
from ptx_ls.values.transfer.comparison import NEGATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_values import FunctionValues

_OPCODES: Final = ("and", "or", "setp")
_OUTCOMES: Final = {"and": True, "or": False}
"""The result that only two conditions together give, by the operation on them."""
_SIGNS: Final = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


class ContradictoryConditions(NamedTuple):
    """Two conditions that are never true together, or never false.

    Attributes:
        outcome: the result of combining them, which is always the same.
        first: the one that is compared first, as text.
        second: the other one.
        before: the place of the first comparison.
        start: where the instruction begins that has the result.
        end: where it ends.
    """

    outcome: bool
    first: str
    second: str
    before: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[ContradictoryConditions]:
    """Yields the combinations of two comparisons that have a known result."""
    shapes = {each for each in seen.text.shapes_of(_OPCODES) if _outcome(each) is not None}
    if not shapes or not is_understood(seen.function, seen.text):
        return
    values = function_values(seen.function, seen.module)
    reported = set[FunctionPosition]()
    for found in seen.text.statements_of(seen.text.with_shapes(shapes)):
        record = found.record
        outcome = _outcome(record) if isinstance(record, Shape) and record in shapes else None
        pair = None if outcome is None else _pair(values, found, needed=outcome)
        if outcome is None or pair is None or pair[1].instruction.found.start in reported:
            continue
        reported.add(pair[1].instruction.found.start)
        first, second = (_text(each, is_negated=not outcome) for each in pair)
        before = pair[0].instruction.found
        span = before.start, before.end
        yield ContradictoryConditions(not outcome, first, second, span, found.start, found.end)


def _outcome(shape: Shape) -> bool | None:
    """Returns the result for which both conditions must have that value; None if there is none."""
    modifiers = [*modifiers_of(shape.opcode)]
    if shape.name != "setp":
        return _OUTCOMES[shape.name] if modifiers == [".pred"] else None
    return next((_OUTCOMES[each[1:]] for each in modifiers if each[1:] in _OUTCOMES), None)


def _pair(
    values: FunctionValues, found: Found, *, needed: bool
) -> tuple[HeldComparison, HeldComparison] | None:
    flow = values.flow
    written = [use for use in uses_at(flow, found) if flow.uses.ways[use] & WRITES]
    if not written or flow.block_at(found.start) not in flow.reachable:
        return None
    facts = result_facts(values.given, written[0], value=needed)
    return contradiction(facts.comparisons, values.source_form)


def _text(held: HeldComparison, *, is_negated: bool) -> str:
    operator = NEGATIONS[held.operator] if is_negated else held.operator
    return f"{held.left.text} {_SIGNS[operator]} {held.right.text}"


@rule(
    "contradictory-conditions",
    on=ContradictoryConditions,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*_OPCODES),
    in_compiler_output=None,
)
def contradictory_conditions(mismatch: ContradictoryConditions, _: RuleContext) -> Finding:
    """Reports two comparisons whose combination is always true or always false.

    ## Why is this bad?
    The code that depends on the combined condition always runs, or never runs. Usually the author
    wrote `and` instead of `or`, or one comparison has the wrong operator, constant or register.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 count)
    {
        .reg .pred %p<4>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [count];
        setp.lt.s32 %p1, %r1, 4;
        setp.gt.s32 %p2, %r1, 8;
        and.pred %p3, %p1, %p2;
        @%p3 exit;
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 count)
    {
        .reg .pred %p<4>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [count];
        setp.lt.s32 %p1, %r1, 4;
        setp.gt.s32 %p2, %r1, 8;
        or.pred %p3, %p1, %p2;
        @%p3 exit;
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```
    """
    first, second = mismatch.first, mismatch.second
    related = (Related(*mismatch.before, "one of the comparisons is here"),)
    if mismatch.outcome:
        message = f"the condition is always true: at least one of `{first}` and `{second}` is true"
    else:
        message = f"the condition is always false: `{first}` and `{second}` cannot both be true"
    return Finding(message, related=related)
