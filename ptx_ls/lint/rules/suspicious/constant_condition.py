"""The rule constant-condition.

Source: PTX ISA, "setp", "set" and "Special Registers".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.abstract_value import unknown
from ptx_ls.values.affine import TermKind
from ptx_ls.values.comparisons import result_facts
from ptx_ls.values.contradictions import contradiction
from ptx_ls.values.function_values import function_values
from ptx_ls.values.transfer.comparison import compare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.function_values import FunctionValues

_OPCODES: Final = ("setp", "set")
_UNSIGNED: Final = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
_EQUALITY: Final = ("eq", "ne")
_OPERATORS: Final = frozenset({*_EQUALITY, "lt", "le", "gt", "ge", *_UNSIGNED})
_SCALING: Final = ("div", "shr", "mul", "mad", "add", "sub", "shl", "cvt")
"""Opcodes of instructions whose result grows with their operands."""
_MAX_DEPTH: Final = 4
"""Number of such instructions to follow."""
_INTEGERS: Final = {"signed", "unsigned", "bits"}


class ConstantCondition(NamedTuple):
    """A comparison of two operands with a known outcome.

    `left` and `right`: what is known of the operands, as text, or "". `decided`: the place of an
    earlier comparison of the same values, if a branch on it decides this one.
    """

    outcome: bool
    left: str
    operator: str
    right: str
    start: FunctionPosition
    end: FunctionPosition
    decided: FunctionSpan | None = None


def find(seen: CheckInput) -> Iterator[ConstantCondition]:
    """Yields the comparisons whose outcome follows from the values of registers."""
    shapes = {each for each in seen.text.shapes_of(_OPCODES) if _comparison(each) is not None}
    if not shapes:
        return
    values = function_values(seen.function, seen.module)
    reachable = values.flow.reachable
    for found in seen.text.statements_of(seen.text.with_shapes(shapes)):
        shape = found.record
        if not isinstance(shape, Shape) or shape not in shapes:
            continue
        if values.flow.block_at(found.start) in reachable:
            condition = _condition(found, shape, values.operand(found, 1), values.operand(found, 2))
            if condition is None:
                condition = _repeated(values, found, shape)
            elif _is_defensive(values, found, condition.operator):
                continue
            if condition is None:
                continue
            if not _is_initial(values.flow, found):
                yield condition


def _repeated(values: FunctionValues, found: Found, shape: Shape) -> ConstantCondition | None:
    """Returns a comparison that a branch on all paths to it has decided: of the same values."""
    if shape.name != _OPCODES[0] or not values.flow.block_at(found.start):
        return None
    written = [*uses_in(values.flow, found, WRITES).values()]
    comparison = _comparison(shape)
    if len(written) != 1 or comparison is None:
        return None
    known = [held for each in values.conditions(found) for held in each.facts.comparisons]
    for outcome in (True, False) if known else ():
        facts = result_facts(values.given, written[0], value=not outcome)
        if not facts.is_exact or len(facts.comparisons) != 1:
            return None
        for each in known:
            if contradiction((each, *facts.comparisons), values.source_form) is not None:
                operands = written_operands(shape, found.text)
                start, end = (
                    shifted(operands[1].start, found.start),
                    shifted(operands[2].end, found.start),
                )
                before = each.instruction.found
                place = before.start, before.end
                return ConstantCondition(outcome, "", comparison[0], "", start, end, place)
    return None


def _is_initial(flow: FunctionFlow, found: Found) -> bool:
    """Whether a comparison only gives a predicate its first value, which others replace later."""
    readers = [
        reader for write in uses_in(flow, found, WRITES).values() for reader in flow.readers(write)
    ]
    return bool(readers) and all(len(flow.definitions(each).writes) > 1 for each in readers)


def _comparison(shape: Shape) -> tuple[str, int, bool] | None:
    """Returns the operator of a comparison of integers, their width, and whether it is signed."""
    _, modifiers = isa.split_modifiers(shape.opcode)
    operator = next((each[1:] for each in modifiers if each[1:] in _OPERATORS), "")
    width, kind = isa.database().type_facts.get(isa.written_type(modifiers), (0, ""))
    if not operator or kind not in _INTEGERS:
        return None
    is_signed = kind == "signed" and operator not in _UNSIGNED
    return _UNSIGNED.get(operator, operator), width, is_signed


def _condition(
    found: Found, shape: Shape, left: AbstractValue, right: AbstractValue
) -> ConstantCondition | None:
    comparison = _comparison(shape)
    if comparison is None or left.is_impossible or right.is_impossible:
        return None
    operator, width, is_signed = comparison
    if left.width != width or right.width != width:
        return None
    outcome = compare(operator, left, right, is_signed=is_signed).constant
    if outcome is None:
        return None
    others = ((unknown(width), right), (left, unknown(width)))
    if any(compare(operator, *each, is_signed=is_signed).constant is not None for each in others):
        return None  # whatever the register holds, so it is a constant-comparison
    operands = written_operands(shape, found.text)
    if all(each.form is OperandForm.INTEGER for each in operands[1:3]):
        return None  # `setp.ne.b32 p, 1, 0` is how a predicate gets a constant
    start, end = shifted(operands[1].start, found.start), shifted(operands[2].end, found.start)
    described = _multiple if operator in _EQUALITY and _overlap(left, right) else _range
    texts = [
        described(operand.text, value, is_signed=is_signed)
        for operand, value in zip(operands[1:3], (left, right), strict=True)
    ]
    return ConstantCondition(bool(outcome), texts[0], operator, texts[1], start, end)


def _is_defensive(values: FunctionValues, found: Found, operator: str) -> bool:
    """Whether a comparison guards against launches of another size, which harms nothing."""
    return operator not in _EQUALITY and any(
        _is_of_launch(values, found, number, _MAX_DEPTH) for number in (1, 2)
    )


def _is_of_launch(values: FunctionValues, found: Found, number: int, depth: int) -> bool:
    """Whether an operand grows with the launch, such as the number of a thread or its warp.

    Masks limit a number whatever the launch is.
    """
    form = values.operand(found, number).affine
    for term, _ in form.terms if form is not None and depth else ():
        if term.kind is TermKind.SPECIAL:
            return True
        if term.kind is TermKind.DEFINITION:
            made = values.flow.statement(term.definitions[0])
            operands = made.record.operands if isinstance(made.record, Shape) else ()
            is_scaled = isinstance(made.record, Shape) and made.record.name in _SCALING
            if is_scaled and any(
                _is_of_launch(values, made, each, depth - 1) for each in range(1, len(operands))
            ):
                return True
    return False


def _overlap(left: AbstractValue, right: AbstractValue) -> bool:
    """Whether a number is in the ranges of both values, so that their bits decide."""
    return left.low <= right.high and right.low <= left.high


def _multiple(text: str, value: AbstractValue, *, is_signed: bool) -> str:
    """Returns an operand with the number that its value is a multiple of; "" if there is none."""
    if value.constant is not None or value.alignment == 1:
        return "" if text.isdigit() else _range(text, value, is_signed=is_signed)
    return f"`{text}` is a multiple of {value.alignment:,}"


def _range(text: str, value: AbstractValue, *, is_signed: bool) -> str:
    """Returns an operand with what is known of its value; "" if it may be any number."""
    low, high = (value.signed_low, value.signed_high) if is_signed else (value.low, value.high)
    whole = unknown(value.width)
    lowest, highest = (whole.signed_low, whole.signed_high) if is_signed else (0, whole.high)
    if text == str(low):
        return ""
    if low == high:
        return f"`{text}` is {low:,}"
    if (low, high) == (lowest, highest):
        return ""
    if low == lowest and is_signed:
        return f"`{text}` is at most {high:,}"
    return (
        f"`{text}` is at least {low:,}"
        if high == highest
        else f"`{text}` is between {low:,} and {high:,}"
    )


@rule(
    "constant-condition",
    on=ConstantCondition,
    severity=Severity.INFORMATION,
    in_compiler_output=None,
    find=find,
    looks_at=Instructions(*_OPCODES),
)
def constant_condition(mismatch: ConstantCondition, _: RuleContext) -> Finding:
    """Reports a comparison whose outcome follows from the values that its operands can have.

    ## Why is this bad?
    The code that depends on the condition always runs, or never runs. Usually a constant, a
    register or the direction of the comparison is wrong.

    The possible values follow from constants, masks, enclosing conditions, and the limits of
    special registers. A comparison of the same values as in an enclosing condition is reported,
    too. A check of the index of a thread, a warp or a row against a bound that all threads meet
    is not reported, because the check guards against larger launches.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.global.b32 %r1, [%rd1];
        and.b32 %r2, %r1, 15;
        setp.eq.s32 %p1, %r2, 16;
        @%p1 exit;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.global.b32 %r1, [%rd1];
        and.b32 %r2, %r1, 15;
        setp.eq.s32 %p1, %r2, 15;
        @%p1 exit;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    outcome = "true" if mismatch.outcome else "false"
    if mismatch.decided is not None:
        return Finding(
            f"the condition is always {outcome}: a branch before it depends on the same values",
            related=(Related(*mismatch.decided, "the values are compared here"),),
        )
    reason = " and ".join(filter(None, (mismatch.left, mismatch.right)))
    return Finding(f"the condition is always {outcome}{reason and ': '}{reason}")
