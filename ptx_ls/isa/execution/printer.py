"""Writes trees of pseudo-code as text, with no more parentheses than are needed."""

from __future__ import annotations

from typing import Final

from ptx_ls.isa.execution.parser import PRECEDENCE
from ptx_ls.isa.execution.tree import (
    Assignment,
    Binary,
    BitField,
    BitRange,
    Bits,
    Conditional,
    EffectCall,
    Expression,
    For,
    FunctionCall,
    If,
    Number,
    Over,
    SlotReference,
    Statement,
    Subscript,
    Unary,
    Variable,
    Vector,
)

_LOWEST: Final = -1
_UNARY: Final = 20
_POSTFIX: Final = 21
_MIXED: Final = frozenset("& | ^ << >> && ||".split())
"""Operators whose precedence few readers know; operands with other operators get parentheses."""


def print_statement(statement: Statement) -> str:
    """Returns a statement with its semicolon; the body of a loop follows on the same line."""
    match statement:
        case Assignment(target, value):
            return f"{print_expression(target)} = {print_expression(value)};"
        case EffectCall(call):
            return f"{print_expression(call)};"
        case If(condition, body):
            return f"if ({print_expression(condition)}) {print_statement(body)}"
        case For(variable, domain, body):
            head = f"for {variable} in {print_expression(domain)}:"
            return "  ".join([head, *map(print_statement, body)]).replace(":  ", ": ", 1)


def print_expression(node: Expression) -> str:
    """Returns an expression as text that parses to the same tree."""
    return _text(node, _LOWEST)


def _text(node: Expression, level: int) -> str:  # noqa: C901, PLR0911  one case for each kind of node
    match node:
        case Number(text) | Variable(text):
            return text
        case Binary() | Conditional():
            return _operation(node, level)
        case SlotReference(name):
            return f".{name}"
        case FunctionCall(function, arguments):
            return f"{function}({', '.join(map(print_expression, arguments))})"
        case Vector(elements):
            return f"{{{', '.join(map(print_expression, elements))}}}"
        case Over(function, variable, domain, body):
            inner = f"{variable} in {print_expression(domain)}: {print_expression(body)}"
            return f"{function}({inner})"
        case BitRange(first, last):
            return f"{print_expression(first)} .. {print_expression(last)}"
        case Subscript(operand, index):
            return f"{_text(operand, _POSTFIX)}[{print_expression(index)}]"
        case Bits(operand, high, low):
            return f"{_text(operand, _POSTFIX)}[{print_expression(high)}:{print_expression(low)}]"
        case BitField(operand, name, index):
            subscript = f"[{print_expression(index)}]" if index is not None else ""
            return f"{_text(operand, _POSTFIX)}.{name}{subscript}"
        case Unary("|", operand):
            return f"|{_text(operand, PRECEDENCE['+'])}|"
        case Unary(operator, operand):
            return _wrapped(f"{operator}{_text(operand, _UNARY)}", _UNARY, level)


def _operation(node: Binary | Conditional, level: int) -> str:
    if isinstance(node, Conditional):
        parts = _text(node.condition, 0), _text(node.then, 0), _text(node.otherwise, 0)
        return _wrapped("{} ? {} : {}".format(*parts), _LOWEST, level)
    operator, left, right = node
    if operator == "of lane":
        return _wrapped(f"{_text(left, _POSTFIX)} of lane {_text(right, _UNARY)}", _POSTFIX, level)
    own = PRECEDENCE[operator]
    if operator == "+" and isinstance(right, Number) and right.text.startswith("-"):
        operator, right = "-", Number(right.text[1:])
    sides = _side(operator, left, own), _side(operator, right, own + 1)
    return _wrapped(f" {operator} ".join(sides), own, level)


def _side(operator: str, side: Expression, level: int) -> str:
    if isinstance(side, Binary) and side.operator == "of lane":
        return f"({_text(side, _LOWEST)})"
    if isinstance(side, Binary) and side.operator in PRECEDENCE and side.operator != operator:
        is_comparison = PRECEDENCE[side.operator] in (PRECEDENCE["<"], PRECEDENCE["=="])
        is_mixed = operator in _MIXED or side.operator in _MIXED
        if is_mixed and not (is_comparison and operator in ("&&", "||")):
            return f"({_text(side, _LOWEST)})"
    return _text(side, level)


def _wrapped(text: str, own: int, level: int) -> str:
    return f"({text})" if own < level else text
