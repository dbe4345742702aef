"""Finds the loops whose only test compares a counter in the wrong direction.

Such a loop ends after its first iteration, or continues until the counter overflows.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.loops.growing_numbers import growing_side
from ptx_ls.values.loops.only_tests import only_test
from ptx_ls.values.spans import Span, as_value, is_within
from ptx_ls.values.transfer.comparison import MIRRORED, compare

if TYPE_CHECKING:
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_input import FunctionInput
    from ptx_ls.values.loops.counters import CountedComparison, LoopCounters
    from ptx_ls.values.loops.growing_numbers import OperandForms
    from ptx_ls.values.paths import Paths

_UPWARDS: Final = ("lt", "le")
"""The operators of a test that a number passes until it has become large."""
_DOWNWARDS: Final = ("gt", "ge")


class LoopFault(Enum):
    """Why the test of a loop is wrong."""

    ONCE = auto()
    """It fails at the end of the first iteration."""
    AWAY = auto()
    """The counter moves away from the limit."""
    EQUAL = auto()
    """The loop continues while the counter, which changes, equals a value that does not."""
    PAST = auto()
    """The counter passes the value at which the loop ends, but never equals it."""


class WrongLoopTest(NamedTuple):
    """A comparison that holds while a loop continues, and its mistake.

    Attributes:
        fault: the mistake.
        held: the comparison.
        is_mirrored: whether the number that the loop changes is on the right of the comparison.
        step: what an iteration adds to that number; None if that is only known to be positive.
        first: the number in the first comparison; None if that is unknown.
    """

    fault: LoopFault
    held: HeldComparison
    is_mirrored: bool
    step: int | None = None
    first: int | None = None


def wrong_loop_test(
    given: FunctionInput, counters: LoopCounters, paths: Paths, form_of: OperandForms, head: int
) -> WrongLoopTest | None:
    """Returns the only test of the loop that begins with a block, if it is a mistake."""
    test = only_test(given, head)
    if test is None:
        return None
    held, counted = test.held, counters.counted(test.held, head)
    loop = given.flow.blocks.loop_forest.blocks(head)
    if counted is None:
        side = growing_side(given, form_of, held, loop)
        if side is None:
            return None
        operator = held.operator if side == 0 else MIRRORED[held.operator]
        is_away = operator in _DOWNWARDS
        return WrongLoopTest(LoopFault.AWAY, held, is_mirrored=side > 0) if is_away else None
    if _changes(paths, loop, counted.start, counted.limit):
        return None
    start, limit = counters.span(counted.start), counters.span(counted.limit)
    fault = _fault(held, counted, (start, limit), is_at_end=test.is_at_end)
    if fault is None:
        return None
    first = None if counted.start.terms else counted.start.offset
    if first is not None and not held.is_signed:
        first %= 1 << held.width
    return WrongLoopTest(fault, held, counted.is_mirrored, counted.step, first)


def _changes(paths: Paths, loop: frozenset[int], *forms: AffineForm) -> bool:
    """Whether a loop may change what forms mean."""
    terms = [term for form in forms for term, _ in form.terms if not term.is_stable]
    return any(block in loop for term in terms for block, _ in paths.changes(term))


def _fault(
    held: HeldComparison, counted: CountedComparison, spans: tuple[Span, Span], *, is_at_end: bool
) -> LoopFault | None:
    """Returns what is wrong with the test of a loop, if anything is.

    `spans`: the numbers in the first comparison. Numbers without a sign may count down until they
    wrap around, which is a well-known idiom, or up from a large one.
    """
    operator, step = counted.operator, counted.step
    if operator == "eq":
        return LoopFault.EQUAL
    if operator == "ne":
        if _is_beyond(spans, step, held.width):
            return LoopFault.AWAY
        return LoopFault.PAST if _is_passed(spans, step) else None
    if operator not in (_UPWARDS if step < 0 else _DOWNWARDS):
        return None
    left, right = (as_value(each, held.width) for each in spans)
    if not held.is_signed and step > 0 and right.signed_high < 0:
        return None  # the loop continues while the counter is negative as a signed number
    if is_at_end and compare(operator, left, right, is_signed=held.is_signed).constant == 0:
        return LoopFault.ONCE
    is_small = is_within(spans[0], held.width - 1, is_signed=False)
    return LoopFault.AWAY if held.is_signed or (step > 0 and is_small) else None


def _is_passed(spans: tuple[Span, Span], step: int) -> bool:
    """Whether steps of one number lead from below another one to above it, or the reverse."""
    (first, start), (last, limit) = spans
    if first is None or last is None or (first, last) != (start, limit):
        return False
    return (last - first) % step != 0


def _is_beyond(spans: tuple[Span, Span], step: int, width: int) -> bool:
    """Whether a number moves away from another one, which it may only reach after an overflow."""
    start, limit = (each.times(1 if step > 0 else -1) for each in spans)
    is_signed = all(is_within(each, width, is_signed=True) for each in spans)
    return is_signed and start.low is not None and limit.high is not None and start.low > limit.high
