"""Finds the operand that a broken rule is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptx_ls.isa.checking.verdict import Part, ViolationKind
from ptx_ls.isa.notation.expression import evaluate, slots_in, walk
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import FormRule, Node
from ptx_ls.isa.operand import Operand

_KINDS = dict.fromkeys(("value", "word", "first", "second"), ViolationKind.IMMEDIATE_RANGE)
"""The kind of violation for each property that a rule can examine; OPERAND_KIND if not listed."""


def blamed_operand(
    rule: FormRule, scope: ExpressionScope, operands: Sequence[Operand]
) -> tuple[ViolationKind, Part, Operand] | None:
    """Returns the kind of violation, the part and the operand to blame; None to blame modifiers.

    A premise says when a rule applies, so an operand in the conclusion is to blame; if the rule
    mentions no modifier, an operand in the premise may also be to blame.
    """
    node = _broken(rule.test, scope)
    asked = list(_inspected(node))
    if not asked and not slots_in(rule.test):
        asked = list(_inspected(rule.test))
    asked.sort(key=lambda pair: not evaluate(("inspect", *pair), scope))
    for function, name in asked:
        operand = scope.operands.get(name)
        part = _part(operand, operands) if operand is not None else None
        if operand is not None and part is not None:
            return _KINDS.get(function, ViolationKind.OPERAND_KIND), part, operand
    return None


def _broken(node: Node, scope: ExpressionScope) -> Node:
    """Returns the part of a rule that does not hold: the conclusion, or one of several."""
    while True:
        if node[0] == "=>":
            node = node[2]
        elif node[0] == "&":
            node = next((part for part in node[1] if not evaluate(part, scope)), node[1][0])
        else:
            return node


def _inspected(node: Node) -> Iterator[tuple[str, str]]:
    """Yields every property that an expression examines, with the name of the operand."""
    yield from ((part[1], part[2]) for part in walk(node) if part[0] == "inspect")


def _part(wanted: Operand, operands: Sequence[Operand]) -> Part | None:
    """Returns where an operand is: by itself, as the second of a pair, or within an address."""
    for index, operand in enumerate(operands):
        if operand is wanted or operand.paired is wanted:
            return "operand", index
        for number, element in enumerate(operand.elements):
            if element is wanted:
                return "operand", index, number
    return None
