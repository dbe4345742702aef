"""Compares assumptions about numbers that are unknown, but the same in all threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.known_bits import as_signed
from ptx_ls.values.transfer.comparison import MIRRORED, NEGATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.threads.happens_before.thread_number import ThreadNumber, Unknowns

_WIDTHS: Final = (32, 64)


class ComparedNumbers(NamedTuple):
    """The sides of a comparison: their unknown parts, and the rest in the first thread."""

    left: Unknowns
    left_number: int
    right: Unknowns
    right_number: int


Assumption = tuple[object, str]
"""The sides of a comparison that holds, and its operator."""
Assumptions = frozenset[Assumption]


def compared(left: ThreadNumber, right: ThreadNumber) -> ComparedNumbers:
    """Returns what identifies a comparison of unknown numbers."""
    return ComparedNumbers(left.unknowns, left.numbers[0], right.unknowns, right.numbers[0])


def exclude_each_other(assumptions: Iterable[Assumption], other: Assumption) -> bool:
    """Whether a comparison contradicts some assumptions, for numbers that are not negative."""
    sides, operator = other
    assumptions = [*assumptions]
    if (sides, NEGATIONS[operator]) in assumptions:
        return True
    limit = _limit(other)
    if limit is None:
        return False
    least, most, omitted = limit.least, limit.most, {limit.omitted}
    for each in filter(None, map(_limit, assumptions)):
        if each.unknown == limit.unknown:
            least, most = _larger(least, each.least), _smaller(most, each.most)
            omitted.add(each.omitted)
    if least is None or most is None:
        return False
    return least > most or (least == most and least in omitted)


class _NumberLimit(NamedTuple):
    """The smallest and the largest value that a number may have, and one that it does not have."""

    unknown: Unknowns
    least: int | None
    most: int | None
    omitted: int | None


def _limit(assumption: Assumption) -> _NumberLimit | None:
    """Returns what a comparison of an unknown number with a constant says."""
    sides, operator = assumption
    if not isinstance(sides, ComparedNumbers) or bool(sides.left) == bool(sides.right):
        return None
    unknown, added, _, number = sides
    if sides.right:
        unknown, added, number = sides.right, sides.right_number, sides.left_number
        operator = MIRRORED[operator]
    if added:
        return None  # the sum may wrap around
    number = next(as_signed(number, width) for width in _WIDTHS if number < 1 << width)
    least, most = {
        "eq": (number, number),
        "ge": (number, None),
        "gt": (number + 1, None),
        "le": (None, number),
        "lt": (None, number - 1),
    }.get(operator, (None, None))
    return _NumberLimit(unknown, least, most, number if operator == "ne" else None)


def _larger(one: int | None, other: int | None) -> int | None:
    return one if other is None else other if one is None else max(one, other)


def _smaller(one: int | None, other: int | None) -> int | None:
    return one if other is None else other if one is None else min(one, other)
