"""Compares assumptions about numbers that are unknown, but the same in all threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.affine import AffineTerm, TermKind
from ptx_ls.values.known_bits import as_signed
from ptx_ls.values.transfer.comparison import MIRRORED, NEGATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ptx_ls.threads.launch_example.thread_number import ThreadNumber, Unknowns

    Sources = Callable[[Unknowns], frozenset[object]]
    """Returns the given numbers of which unknown numbers are made."""

_WIDTHS: Final = (32, 64)
_RANK: Final = "%cluster_ctarank"
_BELOW: Final = ("lt", "le", "ne")
_NOT_BELOW: Final = ("eq", "ge", "gt")
_COUNTS: Final = ("%nctaid", "%nclusterid", "%cluster_ncta")
"""Special registers with numbers of blocks, which are larger than that of any block."""


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


def agree(one: Assumptions, other: Assumptions, sources: Sources) -> bool:
    """Whether some numbers surely meet the assumptions of two statements."""
    given = dict(one)
    for held in other:
        sides, operator = held
        if sides in given:
            if given[sides] != operator:
                return False
        elif exclude_each_other(one, held) or any(
            _are_related(each, held, sources) for each in one
        ):
            return False
    return True


def without_rank(assumptions: Assumptions) -> Assumptions:
    """Returns the assumptions that are not about the number of a block in its cluster."""
    return assumptions - _limits_of_rank(assumptions).keys()


def allows_rank(assumptions: Assumptions, rank: int) -> bool:
    """Whether a block may have a number in its cluster, as far as assumptions say."""
    return all(limit.allows(rank) for limit in _limits_of_rank(assumptions).values())


def _limits_of_rank(assumptions: Assumptions) -> dict[Assumption, _NumberLimit]:
    limits = {each: _limit(each) for each in assumptions}
    return {
        each: limit
        for each, limit in limits.items()
        if limit is not None and _is_rank(limit.unknown)
    }


def _is_rank(unknown: Unknowns) -> bool:
    """Whether an unknown number is that of a block in its cluster."""
    terms = [key[0] for key, times in unknown if isinstance(key, tuple) and times == 1]
    return len(terms) == len(unknown) == 1 and (
        isinstance(terms[0], AffineTerm) and terms[0].name == _RANK
    )


def _are_related(one: Assumption, other: Assumption, sources: Sources) -> bool:
    """Whether it is unclear if two assumptions exclude each other.

    Those that limit the same number are compared elsewhere. Large parameters meet many others.
    """
    limits = _limit(one), _limit(other)
    if all(limits) and len({each.unknown for each in limits if each is not None}) == 1:
        return False
    if is_met_by_large_parameter(*one) and is_met_by_large_parameter(*other):
        return False
    sets = [
        sources(sides.left) | sources(sides.right)
        for sides, _ in (one, other)
        if isinstance(sides, ComparedNumbers)
    ]
    return len(sets) != 2 or not sets[0].isdisjoint(sets[1])  # noqa: PLR2004


def is_met_by_large_parameter(sides: object, operator: str) -> bool:
    """Whether a comparison holds if a parameter is large enough, as in `index < n`."""
    if not isinstance(sides, ComparedNumbers):
        return False
    smaller, larger = sides.left, sides.right
    if _has_parameter(smaller):
        smaller, larger, operator = larger, smaller, MIRRORED[operator]
    return operator in _BELOW and not _has_parameter(smaller) and _has_parameter(larger)


def is_outside_grid(sides: ComparedNumbers, operator: str) -> bool:
    """Whether a comparison only holds for a block with a number that no block has."""
    left, left_number, right, right_number = sides
    if _special(left).startswith(_COUNTS):
        left, left_number, right, right_number = right, right_number, left, left_number
        operator = MIRRORED[operator]
    count = _special(right)
    is_count = count.startswith(_COUNTS) and not right_number and not left_number
    names = count.replace("%n", "%"), count.replace("_n", "_")
    return is_count and operator in _NOT_BELOW and (not left or _special(left) in names)


def _special(unknowns: Unknowns) -> str:
    """Returns the special register that a number is; "" if it is another number."""
    terms = [key[0] for key, times in unknowns if isinstance(key, tuple) and times == 1]
    if len(terms) != 1 or len(unknowns) != 1 or not isinstance(terms[0], AffineTerm):
        return ""
    return terms[0].name if terms[0].kind is TermKind.SPECIAL else ""


def _has_parameter(unknowns: Unknowns) -> bool:
    """Whether a number grows with a parameter."""
    return any(
        times > 0 and isinstance(key, tuple) and _is_parameter(key[0]) for key, times in unknowns
    )


def _is_parameter(term: object) -> bool:
    return isinstance(term, AffineTerm) and term.kind is TermKind.PARAMETER


class _NumberLimit(NamedTuple):
    """The smallest and the largest value that a number may have, and one that it does not have."""

    unknown: Unknowns
    least: int | None
    most: int | None
    omitted: int | None

    def allows(self, number: int) -> bool:
        """Whether a number is within the limits."""
        is_large = self.least is None or number >= self.least
        return is_large and (self.most is None or number <= self.most) and number != self.omitted


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
