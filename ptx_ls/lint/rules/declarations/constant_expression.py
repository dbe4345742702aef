"""The rule constant-expression.

Source: PTX ISA, "Constant Expressions".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.constants.expressions import (
    BadConstant,
    ConstantFault,
    ExpressionToken,
    NoConstantError,
    evaluate,
)
from ptx_ls.syntax.offsets import place_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Kind, Shape
from ptx_ls.syntax.tokens import Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.offsets import StatementPosition
    from ptx_ls.syntax.operands import OperandSyntax

_OPERATORS: Final = frozenset("-+*/%&|^?<>!~(")
_SIGNS: Final = _OPERATORS - {"%"}
"""Signs of operators. A `%` is omitted, because it may begin the name of a register."""
_MAX_KEPT_SHAPES: Final = 1 << 14
_WARP: Final = "WARP_SZ"
_NUMBERS: Final = (OperandForm.INTEGER, OperandForm.FLOAT64, OperandForm.DECIMAL)
_ENDS: Final = frozenset({",", ";", "{", "}", "[", "]", "=", ""})
_MESSAGES: Final = {
    ConstantFault.MIXED: "`{text}` mixes an integer with a floating-point number; both must be "
    "of one kind",
    ConstantFault.INTEGER: "`{text}` is a floating-point number, expected an integer",
    ConstantFault.ZERO: "division by zero",
    ConstantFault.SINGLE: "`{text}` cannot be used in a constant expression, expected a `0d` "
    "or decimal literal",
    ConstantFault.CAST: "a constant is cast to `{text}`, expected `.s64` or `.u64`",
}


def find(seen: CheckInput) -> Iterator[BadConstant]:
    """Yields the constant expressions of a function that cannot be computed."""
    text = seen.text
    guilty = set(filter(_has_operation, text.shapes))
    for found in text.statements_of(text.with_shapes(guilty)):
        if isinstance(found.record, Shape) and found.record in guilty:
            begin = found.text.find(found.record.opcode) + len(found.record.opcode)
            yield from _check(found, begin)
    if text.declarations_with("="):
        for found in text.statements(text.declarations, declaring_only=True):
            if found.record.kind is Kind.DECLARATION and "=" in found.text:
                begin = found.text.index("=")
                if not _OPERATORS.isdisjoint(found.text[begin:]):
                    yield from _check(found, begin)


@lru_cache(maxsize=_MAX_KEPT_SHAPES)
def _has_operation(shape: Shape) -> bool:
    _, _, arguments = shape.text.partition(shape.opcode)
    may_compute = not _SIGNS.isdisjoint(arguments) or any(
        not rest[:1].isalpha() for rest in arguments.split("%")[1:]
    )
    return may_compute and any(map(_computes, shape.operands))


def _computes(operand: OperandSyntax) -> bool:
    """Returns whether an operand has an operation in it other than the sign of an integer."""
    if operand.form in _NUMBERS:
        return operand.text.startswith(("!", "~"))
    if operand.form is OperandForm.FLOAT32:
        return not operand.text.startswith("0")
    if operand.form is OperandForm.IDENTIFIER:
        is_warp = _WARP in operand.text and operand.text != _WARP
        return is_warp or len(operand.elements) > 1 or any(map(_computes, operand.elements))
    return operand.form is OperandForm.EXPRESSION or any(map(_computes, operand.elements))


def _check(found: Found, begin: int) -> Iterator[BadConstant]:
    for parts in _expressions(found, begin):
        try:
            _, faults = evaluate(parts)
        except NoConstantError:
            continue
        yield from faults[:1]


def _expressions(found: Found, begin: int) -> Iterator[list[ExpressionToken]]:
    """Yields the expressions after an offset: tokens between commas and brackets.

    A name that the expression is added to is left out.
    """
    parts: list[ExpressionToken] = []
    depth = 0
    for token in _tokens(tokenize(found.text), place_of(found.text, begin)):
        depth += (token.string == "(") - (token.string == ")")
        if (token.string in _ENDS and depth <= 0) or depth < 0:
            depth = 0
            if len(parts) > 1:
                yield _headless(parts)
            parts = []
            continue
        parts.append(ExpressionToken(token.string, *token.placed(found.start)))


def _tokens(tokens: Iterable[Token], begin: StatementPosition) -> Iterator[Token]:
    """Yields the tokens that start at `begin` or after it."""
    for token in tokens:
        if token.start >= begin:
            yield token


def _headless(parts: list[ExpressionToken]) -> list[ExpressionToken]:
    """Returns an expression without the name that it is added to."""
    first = parts[0].text
    is_name = (not first[:1].isdigit() and first[:1].isidentifier()) or first[:1] in "%$"
    return parts[2:] if is_name and first != _WARP and parts[1].text == "+" else parts


@rule("constant-expression", on=BadConstant, find=find)
def constant_expression(mismatch: BadConstant, _: RuleContext) -> Finding:
    """Reports a constant expression that ptxas cannot evaluate.

    ## Why is this bad?
    ptxas rejects the module. It evaluates expressions with 64-bit integers or with floating-point
    numbers, and does not convert between the two. Remainders, shifts, bitwise and logical operators
    and `?:` require integers. ptxas evaluates the whole expression, including the parts that `&&`
    and `?:` do not need.

    ## Example
    ```ptx
    mov.u32 %r1, 5 / 0;
    ```

    Use instead:
    ```ptx
    mov.u32 %r1, 5 / 2;
    ```
    """
    return Finding(_MESSAGES[mismatch.fault].format(text=mismatch.text))
