"""Evaluates the expressions of rules, gates, operand types and register counts.

Expressions are trees of tuples, parsed when the data is compiled (see `expression_parser`). A value
is a modifier (`".u32"`, "" when absent), a number or a boolean.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ptx_ls.isa.notation.table import Node
from ptx_ls.isa.operand import Operand, OperandKind

_IMMEDIATES = frozenset({OperandKind.INTEGER, OperandKind.FLOAT, OperandKind.EXPRESSION})


class ExpressionScope:
    """The inputs of an expression: slot values, bound operands, types and lookup tables."""

    __slots__ = ("operands", "tables", "types", "values")

    def __init__(
        self,
        values: Sequence[str],
        types: Mapping[str, tuple[int, str]],
        tables: Mapping[str, Mapping[str, int]],
        operands: Mapping[str, Operand] | None = None,
    ) -> None:
        self.values = values
        self.types = types
        self.tables = tables
        self.operands: Mapping[str, Operand] = operands if operands is not None else {}


def evaluate(node: Node, scope: ExpressionScope) -> Any:
    """Returns the value of an expression in a scope."""
    return _OPERATORS[node[0]](node, scope)


def children(node: Node) -> tuple[Node, ...]:
    """Returns the direct subexpressions of an expression."""
    match node[0]:
        case "&" | "|":
            return tuple(node[1])
        case "!" | "in" | "notin":
            return (node[1],)
        case "=>" | "<=>":
            return (node[1], node[2])
        case "compare" | "compute":
            return (node[2], node[3])
        case "call" | "lookup":
            return tuple(node[2])
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """Yields an expression and all its subexpressions."""
    yield node
    for part in children(node):
        yield from walk(part)


def slots_in(node: Node) -> list[int]:
    """Returns the slots that an expression depends on."""
    found: list[int] = []
    for part in walk(node):
        if part[0] == "slot":
            found.append(part[1])
        elif part[0] == "present":
            found += part[2]
    return found


def looks_at_operands(node: Node) -> bool:
    """Whether an expression depends on operands, or on their presence."""
    return any(part[0] in _OF_OPERANDS for part in walk(node))


_OF_OPERANDS = frozenset({"?", "inspect"})
"""Operators that look at operands."""


def _slot(node: Node, scope: ExpressionScope) -> Any:
    return scope.values[node[1]]


def _constant(node: Node, _scope: ExpressionScope) -> Any:
    return node[1]


def _present(node: Node, scope: ExpressionScope) -> Any:
    """Returns a modifier if it is written, else ""."""
    token = node[1]
    values = scope.values
    return token if any(values[index] == token for index in node[2]) else ""


def _has_operand(node: Node, scope: ExpressionScope) -> Any:
    return node[1] in scope.operands


def _in(node: Node, scope: ExpressionScope) -> Any:
    return evaluate(node[1], scope) in node[2]


def _not_in(node: Node, scope: ExpressionScope) -> Any:
    return evaluate(node[1], scope) not in node[2]


def _all(node: Node, scope: ExpressionScope) -> Any:
    return all(evaluate(part, scope) for part in node[1])


def _any(node: Node, scope: ExpressionScope) -> Any:
    return any(evaluate(part, scope) for part in node[1])


def _not(node: Node, scope: ExpressionScope) -> Any:
    return not evaluate(node[1], scope)


def _implies(node: Node, scope: ExpressionScope) -> Any:
    return not evaluate(node[1], scope) or bool(evaluate(node[2], scope))


def _equivalent(node: Node, scope: ExpressionScope) -> Any:
    return bool(evaluate(node[1], scope)) == bool(evaluate(node[2], scope))


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<=": lambda left, right: left <= right,
    ">=": lambda left, right: left >= right,
    "<": lambda left, right: left < right,
    ">": lambda left, right: left > right,
}
_COMPUTE: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left // right if right else 0,
}


def _compare(node: Node, scope: ExpressionScope) -> Any:
    left, right = evaluate(node[2], scope), evaluate(node[3], scope)
    if left is None or right is None:
        return True
    return _COMPARE[node[1]](left, right)


def _compute(node: Node, scope: ExpressionScope) -> Any:
    return _COMPUTE[node[1]](evaluate(node[2], scope), evaluate(node[3], scope))


def _call(node: Node, scope: ExpressionScope) -> Any:
    return _FUNCTIONS[node[1]](scope, *[evaluate(part, scope) for part in node[2]])


def _inspect(node: Node, scope: ExpressionScope) -> Any:
    """Applies a function to an operand; returns None for an absent or unknown one."""
    operand = scope.operands.get(node[2])
    if operand is None or operand.kind is OperandKind.UNKNOWN:
        return None
    return _INSPECTIONS[node[1]](scope, operand)


def _lookup(node: Node, scope: ExpressionScope) -> Any:
    table = scope.tables[node[1]]
    key = " ".join(evaluate(part, scope) for part in node[2])
    return table.get(key, table.get("default", 0))


_OPERATORS: dict[str, Callable[[Node, ExpressionScope], Any]] = {
    "slot": _slot,
    "constant": _constant,
    "present": _present,
    "?": _has_operand,
    "in": _in,
    "notin": _not_in,
    "&": _all,
    "|": _any,
    "!": _not,
    "=>": _implies,
    "<=>": _equivalent,
    "compare": _compare,
    "compute": _compute,
    "call": _call,
    "inspect": _inspect,
    "lookup": _lookup,
}


def type_bits(scope: ExpressionScope, name: str) -> int:
    """Returns the width of a type in bits; 0 for anything else."""
    return scope.types.get(name, (0, ""))[0]


def _class_test(*classes: str) -> Callable[[ExpressionScope, str], bool]:
    return lambda scope, name: scope.types.get(name, (0, ""))[1] in classes


def _number(_scope: ExpressionScope, text: str) -> int:
    """Returns the number in `.v4`, `.x16`, `.3d`; 1 for an absent modifier."""
    digits = "".join(character for character in text if character.isdecimal())
    return int(digits) if digits else 1


def _dimension(letter: str) -> Callable[[ExpressionScope, str], int]:
    def read(_scope: ExpressionScope, shape: str) -> int:
        _, _, rest = shape.partition(letter)
        digits = ""
        for character in rest:
            if not character.isdecimal():
                break
            digits += character
        return int(digits) if digits else 0

    return read


def _scaled(factor_up: int, factor_down: int) -> Callable[[ExpressionScope, str], str]:
    """Returns a function that makes a type wider or narrower: `double(.u16)` is `.u32`."""

    def read(scope: ExpressionScope, name: str) -> str:
        bits = type_bits(scope, name)
        letters = name.rstrip("0123456789")
        return f"{letters}{bits * factor_up // factor_down}" if bits else ""

    return read


def _bits_type(scope: ExpressionScope, name: str) -> str:
    bits = type_bits(scope, name)
    return f".b{bits}" if bits else ""


_WORD = 32
_HALF = 16
_BYTE = 8


def _packed_type(scope: ExpressionScope, name: str) -> str:
    """Returns the type of the register that holds elements of a matrix: `.f16x2` for `.f16`."""
    bits, class_ = scope.types.get(name, (0, ""))
    if not bits or bits >= _WORD:
        return name
    if bits == _HALF:
        return f"{name}x2"
    return ".s32" if bits == _BYTE and class_ in ("unsigned", "signed") else ".b32"


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "bits": type_bits,
    "isfloat": _class_test("float", "half", "alternate"),
    "isint": _class_test("unsigned", "signed"),
    "issigned": _class_test("signed"),
    "isunsigned": _class_test("unsigned"),
    "isbits": _class_test("bits"),
    "n": _number,
    "rows": _dimension(".m"),
    "columns": _dimension("n"),
    "depth": _dimension("k"),
    "double": _scaled(2, 1),
    "half": _scaled(1, 2),
    "untyped": _bits_type,
    "packed": _packed_type,
}


def _is_register(_scope: ExpressionScope, operand: Operand) -> bool:
    return operand.kind is OperandKind.REGISTER


def _is_immediate(_scope: ExpressionScope, operand: Operand) -> bool:
    return operand.kind in _IMMEDIATES


def _is_vector(_scope: ExpressionScope, operand: Operand) -> bool:
    return operand.kind is OperandKind.VECTOR or operand.vector_size > 1


def _width(scope: ExpressionScope, operand: Operand) -> int | None:
    """Returns the bits of a register, also of one in brackets or in braces."""
    is_group = operand.kind in (OperandKind.ADDRESS, OperandKind.VECTOR) and operand.elements
    base = operand.elements[0] if is_group else operand
    return type_bits(scope, base.type) or None


def _value(_scope: ExpressionScope, operand: Operand) -> int | float | None:
    if operand.value is None and operand.kind is OperandKind.FLOAT:
        return _real(operand.text)
    return operand.value


def _real(text: str) -> float | None:
    """Returns the value of `1.5`, `0f3FC00000` or `0d3FF8000000000000`; None for other texts."""
    try:
        if text[:2].lower() in ("0f", "0d"):
            form = ">f" if text[1] in "fF" else ">d"
            return float(struct.unpack(form, bytes.fromhex(text[2:]))[0])
        return float(text)
    except (ValueError, struct.error):
        return None


def _word(scope: ExpressionScope, operand: Operand) -> int | float | None:
    """Returns the value that ptxas sees when it truncates constants to 32 bits."""
    value = _value(scope, operand)
    return value & _LOW_WORD if isinstance(value, int) else value


_LOW_WORD = 0xFFFF_FFFF


def _element(index: int) -> Callable[[ExpressionScope, Operand], int | float | None]:
    """Returns a function that returns the value of an element of a vector, or None."""

    def read(scope: ExpressionScope, operand: Operand) -> int | float | None:
        elements = operand.elements[index : index + 1]
        return _value(scope, elements[0]) if elements else None

    return read


def _size(_scope: ExpressionScope, operand: Operand) -> int:
    return len(operand.elements) or operand.vector_size


def _space(_scope: ExpressionScope, operand: Operand) -> str:
    """Returns what a name refers to, also in brackets."""
    return operand.elements[0].space if operand.elements else operand.space


_INSPECTIONS: dict[str, Callable[[ExpressionScope, Operand], Any]] = {
    "isreg": _is_register,
    "isimm": _is_immediate,
    "isvec": _is_vector,
    "isbraced": lambda _scope, operand: operand.kind is OperandKind.VECTOR,
    "isreal": lambda _scope, operand: operand.kind is OperandKind.FLOAT,
    "width": _width,
    "value": _value,
    "word": _word,
    "first": _element(0),
    "second": _element(1),
    "size": _size,
    "typeof": lambda _scope, operand: operand.type,
    "negated": lambda _scope, operand: bool(operand.negation),
    "issink": lambda _scope, operand: operand.kind is OperandKind.SINK,
    "isname": lambda _scope, operand: operand.kind is OperandKind.NAME,
    "spaceof": _space,
    "hasoffset": lambda _scope, operand: operand.offset,
}

FUNCTION_NAMES = frozenset(_FUNCTIONS)
INSPECTION_NAMES = frozenset(_INSPECTIONS)
