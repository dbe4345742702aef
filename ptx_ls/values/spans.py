"""Ranges of whole numbers of any size."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.abstract_value import unknown, wrapped

if TYPE_CHECKING:
    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.affine import AffineTerm


class Span(NamedTuple):
    """All whole numbers from `low` to `high`; None for a missing bound."""

    low: int | None
    high: int | None

    def contains(self, number: int) -> bool:
        """Whether a number is one of these."""
        return (self.low is None or self.low <= number) and (
            self.high is None or number <= self.high
        )

    def times(self, factor: int) -> Span:
        """Returns the span of the multiples of these numbers."""
        low = None if self.low is None else self.low * factor
        high = None if self.high is None else self.high * factor
        return Span(low, high) if factor >= 0 else Span(high, low)

    def plus(self, other: Span) -> Span:
        """Returns the span of the sums of these numbers and others."""
        return Span(
            None if self.low is None or other.low is None else self.low + other.low,
            None if self.high is None or other.high is None else self.high + other.high,
        )

    def meet(self, other: Span) -> Span:
        """Returns the numbers that are in both spans."""
        lows = [each for each in (self.low, other.low) if each is not None]
        highs = [each for each in (self.high, other.high) if each is not None]
        return Span(max(lows, default=None), min(highs, default=None))


UNBOUNDED: Final = Span(None, None)


def is_within(span: Span, width: int, *, is_signed: bool) -> bool:
    """Whether all numbers of a span are numbers of a width."""
    if span.low is None or span.high is None:
        return False
    half = 1 << width - 1
    low, stop = (-half, half) if is_signed else (0, 2 * half)
    return low <= span.low and span.high < stop


def full(term: AffineTerm) -> Span:
    """Returns the range of a term of which nothing is known."""
    half = 1 << term.width - 1
    return Span(-half, half - 1) if term.is_signed else Span(0, 2 * half - 1)


def reading(value: AbstractValue, term: AffineTerm) -> Span:
    """Returns the range of the number that a term reads from a value."""
    if term.is_signed:
        return Span(value.signed_low, value.signed_high)
    return Span(value.low, value.high)


def product_of(left: Span, right: Span) -> Span:
    """Returns the range of a product."""
    ends = (left.low, left.high), (right.low, right.high)
    corners = []
    for one, other in product(*ends):
        if one is None or other is None:
            return UNBOUNDED
        corners.append(one * other)
    return Span(min(corners), max(corners))


def as_value(span: Span, width: int) -> AbstractValue:
    """Returns the low bits of a number in a span."""
    if span.low is None or span.high is None:
        return unknown(width)
    return wrapped(width, span.low, span.high)
