"""Finds the loops whose only test compares a counter in the wrong direction.

Such a loop ends after its first iteration, or continues until the counter overflows.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.only_tests import only_test
from ptx_ls.values.spans import Span, as_value, is_within
from ptx_ls.values.transfer.comparison import compare

if TYPE_CHECKING:
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_input import FunctionInput
    from ptx_ls.values.loops import CountedComparison, LoopCounters
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


class WrongLoopTest(NamedTuple):
    """A comparison that holds while a loop continues, and its mistake."""

    fault: LoopFault
    held: HeldComparison
    counted: CountedComparison


def wrong_loop_test(
    given: FunctionInput, counters: LoopCounters, paths: Paths, head: int
) -> WrongLoopTest | None:
    """Returns the only test of the loop that begins with a block, if it is a mistake."""
    test = only_test(given, head)
    counted = None if test is None else counters.counted(test.held, head)
    loop = given.flow.blocks.loop_forest.blocks(head)
    if test is None or counted is None or _changes(paths, loop, counted.start, counted.limit):
        return None
    start, limit = counters.span(counted.start), counters.span(counted.limit)
    fault = _fault(test.held, counted, (start, limit), is_at_end=test.is_at_end)
    return None if fault is None else WrongLoopTest(fault, test.held, counted)


def _changes(paths: Paths, loop: frozenset[int], *forms: AffineForm) -> bool:
    """Whether a loop may change what forms mean."""
    terms = [term for form in forms for term, _ in form.terms if not term.is_stable]
    return any(block in loop for term in terms for block, _ in paths.changes(term))


def _fault(
    held: HeldComparison, counted: CountedComparison, spans: tuple[Span, Span], *, is_at_end: bool
) -> LoopFault | None:
    """Returns what is wrong with the test of a loop, if anything is.

    `spans`: the numbers in the first comparison. Numbers without a sign may count down until they
    wrap around, which is a well-known idiom.
    """
    operator, step = counted.operator, counted.step
    if operator == "eq":
        return LoopFault.EQUAL
    if operator == "ne":
        return LoopFault.AWAY if _is_beyond(spans, step, held.width) else None
    if operator not in (_UPWARDS if step < 0 else _DOWNWARDS):
        return None
    left, right = (as_value(each, held.width) for each in spans)
    if not held.is_signed and step > 0 and right.signed_high < 0:
        return None  # the loop continues while the counter is negative as a signed number
    if is_at_end and compare(operator, left, right, is_signed=held.is_signed).constant == 0:
        return LoopFault.ONCE
    return LoopFault.AWAY if held.is_signed else None


def _is_beyond(spans: tuple[Span, Span], step: int, width: int) -> bool:
    """Whether a number moves away from another one, which it may only reach after an overflow."""
    start, limit = (each.times(1 if step > 0 else -1) for each in spans)
    is_signed = all(is_within(each, width, is_signed=True) for each in spans)
    return is_signed and start.low is not None and limit.high is not None and start.low > limit.high
