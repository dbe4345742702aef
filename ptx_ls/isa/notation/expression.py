"""Evaluates the expressions of rules, gates, operand types and register counts.

Expressions are trees of tuples, parsed when the data is compiled (see `expression_parser`). A value
is a modifier (`".u32"`, "" when absent), a number or a boolean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ptx_ls.isa.notation.expression_functions import FUNCTIONS, INSPECTIONS
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import Node
from ptx_ls.isa.operand import OperandKind


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
    return FUNCTIONS[node[1]](scope, *[evaluate(part, scope) for part in node[2]])


def _inspect(node: Node, scope: ExpressionScope) -> Any:
    """Applies a function to an operand; returns None for an absent or unknown one."""
    operand = scope.operands.get(node[2])
    if operand is None or operand.kind is OperandKind.UNKNOWN:
        return None
    return INSPECTIONS[node[1]](scope, operand)


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
