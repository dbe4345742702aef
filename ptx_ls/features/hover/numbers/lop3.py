"""Converts the look-up table of `lop3` to the shortest formula of its three operands."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Final

from ptx_ls.source.named_tuple import NamedTuple

_A: Final = 0xF0
_B: Final = 0xCC
_C: Final = 0xAA
_ALL: Final = 0xFF
_ATOM: Final = 4
_STRENGTH: Final = {"|": 1, "^": 2, "&": 3, "~": _ATOM}


class LogicFormula(NamedTuple):
    """A formula with `{a}`, `{b}` and `{c}` for the operands; `operator` is the outermost one."""

    cost: int
    text: str
    operator: str = "~"


def formula(table: int, a: str = "a", b: str = "b", c: str = "c") -> str:
    """Returns the formula of a table, bits 0 to 7 of `immLut`, for operands with these names.

    Source: PTX ISA, "Logic and Shift Instructions: lop3".
    """
    return _formulas()[table & _ALL].text.format(a=a, b=b, c=c)


@cache
def _formulas() -> dict[int, LogicFormula]:
    """Returns the formula with the fewest operators for each of the 256 tables."""
    found = {
        0: LogicFormula(0, "0"),
        _ALL: LogicFormula(0, "~0"),
        _A: LogicFormula(0, "{a}"),
        _B: LogicFormula(0, "{b}"),
        _C: LogicFormula(0, "{c}"),
    }
    by_cost = [list(found)]
    while len(found) <= _ALL:
        cost = len(by_cost)
        new: dict[int, LogicFormula] = {}
        for table in by_cost[cost - 1]:
            _add(new, found, table ^ _ALL, LogicFormula(cost, f"~{_within(found[table], '~')}"))
        for left_cost in range((cost + 1) // 2):
            for left in by_cost[left_cost]:
                for right in by_cost[cost - 1 - left_cost]:
                    for operator, table in _combined(left, right):
                        made = _joined(found[left], operator, found[right], cost)
                        _add(new, found, table, made)
        found |= new
        by_cost.append(list(new))
    return found


def _combined(left: int, right: int) -> tuple[tuple[str, int], ...]:
    return ("&", left & right), ("|", left | right), ("^", left ^ right)


def _add(
    new: dict[int, LogicFormula], found: dict[int, LogicFormula], table: int, made: LogicFormula
) -> None:
    if table in found:
        return
    old = new.get(table)
    if old is None or len(made.text) < len(old.text):
        new[table] = made


def _joined(left: LogicFormula, operator: str, right: LogicFormula, cost: int) -> LogicFormula:
    text = f"{_within(left, operator)} {operator} {_within(right, operator)}"
    return LogicFormula(cost, text, operator)


def _within(inner: LogicFormula, operator: str) -> str:
    """Returns a formula as part of another one, in parentheses where needed."""
    same = inner.operator == operator
    needs = _STRENGTH[inner.operator] <= _STRENGTH[operator] and not same
    mixed = inner.operator != "~" and operator != "~" and not same  # few know C's precedence
    return f"({inner.text})" if needs or mixed else inner.text


def meaning(table: int, a: str = "a", b: str = "b", c: str = "c") -> str:
    """Describes a well-known table: a selection, the majority, the parity; "" for others."""
    names = {_A: a, _B: b, _C: c}
    if table == (_A & _B) | (_A & _C) | (_B & _C):
        return f"the majority of {a}, {b} and {c}"
    if table == _A ^ _B ^ _C:
        return f"the parity of {a}, {b} and {c}"
    for choice, yes, no in permutations(names):
        if table == (choice & yes) | (~choice & no & _ALL):
            return f"{names[choice]} ? {names[yes]} : {names[no]}, bit by bit"
    return ""
