"""Computes trip counts: how often a loop runs before a test of its counter fails."""

from __future__ import annotations

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.spans import Span


class LoopTest(NamedTuple):
    """How often a loop runs according to one of its tests.

    Attributes:
        most: the largest value of the counter; None if the test does not bound it.
        is_exact: whether the counter surely gets there if no other test ends the loop.
    """

    most: int | None
    is_exact: bool


def until_equal(distance: int, step: int, width: int) -> LoopTest:
    """Returns after how many steps a distance, modulo 2**width, is covered."""
    modulus = 1 << width
    distance %= modulus
    divisor = step & -step
    if distance % divisor:
        return LoopTest(None, is_exact=False)
    modulus //= min(divisor, modulus)
    n_steps = distance // divisor * pow(step // divisor, -1, modulus) % modulus
    return LoopTest(n_steps, is_exact=True)


def passed_tests(
    operator: str, step: int, limits: tuple[Span, Span], width: int, *, is_signed: bool
) -> LoopTest:
    """Returns how often `start + step * counter` passes a comparison with a limit, at most.

    The value must not wrap around before the test fails.
    """
    unknown = LoopTest(None, is_exact=False)
    if operator in ("gt", "ge"):
        mirrored = limits[0].times(-1), limits[1].times(-1)
        return _passed_upwards(
            operator == "ge", -step, mirrored, _range(width, is_signed=is_signed).times(-1)
        )
    if operator in ("lt", "le"):
        return _passed_upwards(operator == "le", step, limits, _range(width, is_signed=is_signed))
    if operator == "ne" and step in (1, -1):
        start, limit = limits[0].times(step), limits[1].times(step)
        whole = _range(width, is_signed=is_signed).times(step)
        if start.high is None or limit.low is None or start.high > limit.low:
            return unknown
        return _passed_upwards(False, 1, (start, limit), whole)
    return unknown


def _range(width: int, *, is_signed: bool) -> Span:
    half = 1 << width - 1
    return Span(-half, half - 1) if is_signed else Span(0, 2 * half - 1)


def _passed_upwards(
    may_be_equal: bool,  # noqa: FBT001  the operator is `le`, not `lt`
    step: int,
    limits: tuple[Span, Span],
    whole: Span,
) -> LoopTest:
    (first, highest_first), (lowest_limit, limit) = limits
    unknown = LoopTest(None, is_exact=False)
    if first is None or highest_first is None or limit is None or step <= 0:
        return unknown
    if whole.low is None or whole.high is None or first < whole.low:
        return unknown
    is_number = lowest_limit is not None and whole.low <= lowest_limit and limit <= whole.high
    if not is_number or highest_first > whole.high:
        return unknown
    stop = limit + may_be_equal
    n_passed = max(0, -((first - stop) // step)) if first < stop else 0
    if n_passed and stop - 1 + step > whole.high:
        return unknown  # the value may wrap around before the test fails
    return LoopTest(n_passed, is_exact=first == highest_first and lowest_limit == limit)
