"""Specializes pseudo-code: puts modifiers, comparisons and operands into its trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ptx_ls.isa.execution.folding import fold
from ptx_ls.isa.execution.formats import value_type
from ptx_ls.isa.execution.parser import parse_expression, parse_statements
from ptx_ls.isa.execution.tree import (
    Assignment,
    Binary,
    BitField,
    BitRange,
    Expression,
    For,
    FunctionCall,
    Number,
    Over,
    SlotReference,
    Statement,
    Subscript,
    Unary,
    Variable,
    map_parts,
    map_statement,
    names_in,
)
from ptx_ls.isa.execution.variant import Line, Variant

_BOOLEAN: Final = {".and": "&&", ".or": "||", ".xor": "^"}
_COMPARED: Final = {
    "eq": "a == b", "ne": "a != b", "lt": "a < b", "le": "a <= b", "gt": "a > b", "ge": "a >= b",
    "lo": "a < b", "ls": "a <= b", "hi": "a > b", "hs": "a >= b",
    "num": "!isnan(a) && !isnan(b)", "nan": "isnan(a) || isnan(b)",
}  # fmt: skip
_UNORDERED: Final = "{} || isnan(a) || isnan(b)"
_ORDERED: Final = "a < b || a > b"
"""`.ne` of floats: false if either is NaN, unlike `!=` in C."""
PART_INDEX: Final = Variable("i")


def specialized(line: Line, variant: Variant) -> tuple[Statement, ...]:
    """Returns the statements of a line with the modifiers of a variant in them.

    A line about `d[i]` outside a loop becomes a loop over the parts of packed values.

    Raises PseudoCodeError.
    """
    written = parse_statements(line.code)
    is_in_loop = line.indentation or any(isinstance(statement, For) for statement in written)
    if not variant.n_parts and not is_in_loop:
        written = tuple(map_statement(statement, _of_whole) for statement in written)
    found = tuple(
        map_statement(statement, lambda node: fold(_with_modifiers(node, variant)))
        for statement in written
    )
    if variant.n_parts and not is_in_loop and any(map(_is_for_parts, found)):
        return (
            For(PART_INDEX.text, BitRange(Number("0"), Number(str(variant.n_parts - 1))), found),
        )
    return found


def _of_whole(node: Expression) -> Expression:
    """Returns an expression for values without parts: `a` for `a[i]`."""
    if isinstance(node, Over) and node.variable == PART_INDEX.text:
        return node
    node = map_parts(node, _of_whole)
    return node.operand if isinstance(node, Subscript) and node.place == PART_INDEX else node


def _is_for_parts(statement: Statement) -> bool:
    """Whether a statement assigns to one of several parts, such as `d[i]`."""
    return isinstance(statement, Assignment) and PART_INDEX.text in names_in(statement.target)


def _with_modifiers(  # noqa: PLR0911  one case for each kind of node
    node: Expression, variant: Variant
) -> Expression:
    node = map_parts(node, lambda part: _with_modifiers(part, variant))
    match node:
        case SlotReference(name):
            value = variant.named(name)
            return node if value is None else Variable(value[1:])
        case FunctionCall(function, arguments) if function.startswith("."):
            value = _modifier(function, variant)
            if value == "abs":
                return Unary("|", arguments[0])
            return FunctionCall(value, arguments) if value else arguments[0]
        case FunctionCall("bits", (Variable(text),)):
            type_ = value_type(text)
            return Number(str(type_.bits)) if type_ is not None else node
        case BitField(operand, name, None):
            value = variant.named(name)
            if value is None:
                return node
            return BitField(operand, value[1:]) if value else operand
        case Binary("CmpOp" | "cmp", left, right):
            return _compared(left, right, variant) or node
        case Binary("BoolOp", left, right):
            return Binary(_BOOLEAN.get(variant.slots.get("BoolOp", ""), "BoolOp"), left, right)
    return node


def _modifier(name: str, variant: Variant) -> str:
    """Returns the modifier, without its dot, that a function like `.sat(x)` names; "" if absent."""
    if name in variant.modifiers:
        return name[1:]
    return (variant.named(name[1:]) or "")[1:]


def _compared(left: Expression, right: Expression, variant: Variant) -> Expression | None:
    name = (variant.slots.get("CmpOp") or variant.slots.get("cmp") or "").lstrip(".")
    text = _COMPARED.get(name)
    if name == "ne" and variant.is_float:
        text = _ORDERED
    elif text is None and name.endswith("u") and name[:-1] in _COMPARED:
        text = _UNORDERED.format(_COMPARED[name[:-1]])
    if text is None:
        return None
    return with_names(parse_expression(text), {"a": left, "b": right}.get)


def with_names(node: Expression, replacement: Callable[[str], Expression | None]) -> Expression:
    """Returns an expression with names replaced by other expressions."""
    match node:
        case Variable(text):
            return replacement(text) or node
        case BitField(Variable(text), name, index):
            # The operand is extended before it is negated.
            found = replacement(text)
            if isinstance(found, Unary) and found.operator == "-":
                return Unary("-", BitField(found.operand, name, index))
        case FunctionCall("s32", (Variable(text),)):
            found = replacement(text)
            if isinstance(found, Unary) and found.operator == "-":
                return Unary("-", FunctionCall("s32", (found.operand,)))
    return map_parts(node, lambda part: with_names(part, replacement))
