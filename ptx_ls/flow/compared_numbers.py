"""Decides comparisons of numbers, and whether several comparisons of a register can hold.

Source: PTX ISA, "Comparison and Selection Instructions".
"""

from __future__ import annotations

from functools import lru_cache
from math import isnan
from operator import eq, le, lt, ne
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.syntax.literals import number

if TYPE_CHECKING:
    from collections.abc import Iterable

Term: TypeAlias = int | str
"""An operand of a comparison: the code of a register, or text that always means the same value."""
Comparison: TypeAlias = tuple[str, str, Term, Term]
"""The type and the operator of a comparison, and its operands."""
Condition: TypeAlias = int | Comparison
"""The code of a predicate, or a comparison."""
Literal: TypeAlias = tuple[Condition, bool]
"""A condition, and whether it holds."""
_OUTCOMES: Final = {"eq": eq, "ne": ne, "lt": lt, "le": le}
_MAX_LITERALS: Final = 1 << 10
"""Number of literals whose values are kept."""


def outcome(kind: str, operator: str, first: str, second: str) -> bool | None:
    """Returns the outcome of a comparison of two literals; None if that is unknown."""
    one, other, compare = _value(first, kind), _value(second, kind), _OUTCOMES.get(operator)
    if one is None or other is None or compare is None or isnan(one) or isnan(other):
        return None
    return bool(compare(one, other))


def can_hold(facts: Iterable[Literal], code: int) -> bool:
    """Whether a register can have a value for which all facts about it and an integer are true.

    Between two integers that it is compared with, the outcome of each comparison is the same.
    """
    own = [fact for fact in facts if _is_of_integer(fact[0], code)]
    if len(own) < 2:  # noqa: PLR2004  one comparison always can
        return True
    widths = {_width(condition[0]) for condition, _ in own if not isinstance(condition, int)}
    if len(widths) > 1:
        return True
    limits = {
        value
        for condition, _ in own
        if not isinstance(condition, int)
        for term in condition[2:]
        if isinstance(term, str) and (value := number(term)) is not None
    }
    tried = {
        int(each) + step for each in (0, 1 << widths.pop() >> 1, *limits) for step in (-1, 0, 1)
    }
    return any(
        all(_is_so(condition, code, each) is holds for condition, holds in own) for each in tried
    )


def _is_of_integer(condition: Condition, code: int) -> bool:
    """Whether a condition compares a register with an integer."""
    if isinstance(condition, int) or "f" in condition[0] or code not in condition[2:]:
        return False
    return any(
        isinstance(each, str) and _value(each, condition[0]) is not None for each in condition[2:]
    )


def _is_so(condition: Condition, code: int, value: int) -> bool | None:
    """Returns the outcome of a comparison if a register has a value."""
    if isinstance(condition, int):
        return None
    kind, operator, *terms = condition
    first, second = (str(value) if term == code else str(term) for term in terms)
    return outcome(kind, operator, first, second)


def _width(kind: str) -> int:
    return int("".join(filter(str.isdigit, kind)) or 0)


@lru_cache(maxsize=_MAX_LITERALS)
def _value(text: str, kind: str) -> float | None:
    """Returns the number that a literal is as an operand of a type."""
    value, is_float = number(text), "f" in kind
    if value is None or is_float is not isinstance(value, float):
        return None
    if is_float:
        return value
    width = _width(kind)
    rest, half = int(value) % (1 << width), 1 << width >> 1
    return rest - 2 * half if kind.startswith("s") and rest >= half else rest
