"""The rule float-domain.

Source: PTX ISA, "sqrt", "rsqrt", "lg2", "rcp", "div" and "Comparisons with NaN".
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import FLOATS
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.register_operands import register_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.abstract_value import AbstractValue

_LAYOUTS: Final = {".f32": ("<I", "<f"), ".f64": ("<Q", "<d")}
_NOT_NEGATIVE: Final = ("sqrt", "rsqrt", "lg2")
_DIVIDING: Final = ("rcp", "div")
_COMPARING: Final = ("setp", "set")
_COMPARISONS: Final = ("eq", "ne", "lt", "le", "gt", "ge")
_UNORDERED: Final = tuple(f"{each}u" for each in _COMPARISONS)
_OPERANDS: Final = {**dict.fromkeys(_NOT_NEGATIVE, 1), "rcp": 1, "div": 2}
"""The operand that matters, by opcode."""
_NAN_BEGINS: Final = ("0f7f", "0fff", "0d7ff", "0dfff")
"""The first digits of literals that may be NaN."""


class FloatDomain(NamedTuple):
    """A floating-point operand that decides the result alone.

    `problem`: what is wrong, as text. `is_sure`: whether no program needs it.
    """

    problem: str
    is_sure: bool
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[FloatDomain]:
    """Yields the operands for which an instruction gives NaN or infinity, or compares with NaN."""
    shapes = {each for each in seen.text.shapes_of((*_OPERANDS, *_COMPARING)) if _type_of(each)}
    literal = {each for each in shapes if any(it.form in FLOATS for it in each.operands)}
    text = seen.text
    rows = [
        row
        for row, line, record in text.rows(text.lines_of(text.with_shapes(literal)))
        if not isinstance(record, Shape) or record.name not in _COMPARING or _may_have_nan(line)
    ]
    for found in text.statements(rows):
        if isinstance(found.record, Shape) and found.record in literal:
            yield from _with_literal(found, found.record)
    for operand in register_operands(
        seen.function, seen.module, _OPERANDS, _type_of, is_generated=seen.is_generated
    ):
        value = _number(operand.value, _type_of(operand.shape))
        problem = None if value is None else _problem(operand.shape.name, value)
        if problem is not None:
            yield FloatDomain(*problem, operand.start, operand.end)


def _may_have_nan(line: str) -> bool:
    lower = line.lower()
    return any(each in lower for each in _NAN_BEGINS)


def _type_of(shape: Shape) -> str:
    """Returns the type of the operands if they are floats, and if the shape has any of interest."""
    type_ = next((each for each in reversed(modifiers_of(shape.opcode)) if each in _LAYOUTS), "")
    if shape.name in _COMPARING:
        is_literal = any(each.form in FLOATS for each in shape.operands)
        return type_ if is_literal and modifiers_of(shape.opcode)[-1] == type_ else ""
    return type_


def _with_literal(found: Found, shape: Shape) -> Iterator[FloatDomain]:
    """Yields the literals of an instruction that decide its result."""
    for place, operand in enumerate(written_operands(shape, found.text)):
        value = number(operand.text) if operand.form in FLOATS else None
        problem: tuple[str, bool] | None = None
        if value is not None and shape.name in _COMPARING:
            problem = _compared(shape, value)
        elif value is not None and place == _OPERANDS[shape.name]:
            problem = _problem(shape.name, value)
        if problem is not None:
            start, end = shifted(operand.start, found.start), shifted(operand.end, found.start)
            yield FloatDomain(*problem, start, end)


def _compared(shape: Shape, value: float) -> tuple[str, bool] | None:
    """Returns the outcome of a comparison with NaN."""
    operators = [each[1:] for each in modifiers_of(shape.opcode)]
    is_unordered = any(each in _UNORDERED for each in operators)
    is_ordered = any(each in _COMPARISONS for each in operators)
    if not math.isnan(value) or not (is_ordered or is_unordered):
        return None
    outcome = "true" if is_unordered else "false"
    return f"the comparison with NaN is always {outcome}", True


def _problem(opcode: str, value: float) -> tuple[str, bool] | None:
    """Returns what is wrong with a number as an operand, and whether no program needs it."""
    if opcode in _NOT_NEGATIVE and value < 0:
        return f"`{opcode}` of {value:g} is NaN", True
    if opcode in _DIVIDING and value == 0:
        return "division by 0 results in infinity or NaN", False
    return None


def _number(value: AbstractValue, type_name: str) -> float | None:
    """Returns the number that a register holds, if it is known."""
    whole, real = _LAYOUTS[type_name]
    if value.constant is None or value.width != struct.calcsize(whole) * 8:
        return None
    return float(struct.unpack(real, struct.pack(whole, value.constant))[0])


@rule(
    "float-domain",
    on=FloatDomain,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*_OPERANDS, *_COMPARING),
)
def float_domain(mismatch: FloatDomain, _: RuleContext) -> Finding:
    """Reports a floating-point instruction whose result is useless because of a constant.

    ## Why is this bad?
    The square root or the logarithm of a negative number is NaN, and so is nearly everything
    computed from a NaN. NaN is not equal to anything, not even to itself. A comparison with NaN
    therefore has the same outcome for all numbers; use `testp.notanumber` to test for NaN. A
    division by 0 usually gives infinity, which some programs need, so the division is reported only
    as information.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .f32 %f<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.global.f32 %f1, [%rd1];
        setp.eq.f32 %p1, %f1, 0f7FFFFFFF;
        @%p1 mov.f32 %f1, 0f00000000;
        st.global.f32 [%rd1], %f1;
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
        .reg .f32 %f<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.global.f32 %f1, [%rd1];
        testp.notanumber.f32 %p1, %f1;
        @%p1 mov.f32 %f1, 0f00000000;
        st.global.f32 [%rd1], %f1;
        ret;
    }
    ```
    """
    severity = None if mismatch.is_sure else Severity.INFORMATION
    return Finding(mismatch.problem, severity=severity)
