"""The ranges of the terms of affine forms, and of the forms themselves, as whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.values.affine import TermKind, plain_space
from ptx_ls.values.code_place import ENTRY
from ptx_ls.values.spans import UNBOUNDED, Span, full, is_within, product_of, reading
from ptx_ls.values.special_registers import special_value
from ptx_ls.values.unconditional_values import MAX_ADDRESS, SMALL_SPACES

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.function_input import FunctionInput
    from ptx_ls.values.unconditional_values import UnconditionalValues

_RANKS: Final = 1 << 32


class TermRanges:
    """The ranges of terms."""

    def __init__(
        self,
        given: FunctionInput,
        plain: UnconditionalValues,
        counter_bounds: Callable[[int], Span],
    ) -> None:
        """`counter_bounds` returns the range of the counter of a loop, given its first block."""
        self._given, self._plain, self._counter_bounds = given, plain, counter_bounds

    def term(self, term: AffineTerm) -> Span:
        """Returns the range of a term, over the whole function."""
        if term.kind is TermKind.SYMBOL:
            is_small = term.symbol is not None and plain_space(term.symbol.space) in SMALL_SPACES
            return Span(0, MAX_ADDRESS if is_small else (1 << term.width) - 1)
        if term.kind is TermKind.SPECIAL:
            return reading(special_value(term.name, term.width, self._given.bounds), term)
        if term.kind in (TermKind.DEFINITION, TermKind.MERGE):
            value = self.plain_value(term)
            return full(term) if value is None else reading(value, term)
        if term.kind is TermKind.COUNTER:
            return self._counter_bounds(term.head)
        if term.kind is TermKind.PRODUCT:
            return product_of(*map(self.term, term.factors))
        if term.kind is TermKind.RANK:
            return Span(-_RANKS, _RANKS)
        return full(term)

    def plain_value(self, term: AffineTerm) -> AbstractValue | None:
        """Returns what is known of the definitions of a term, of its width; None if nothing is."""
        found: AbstractValue | None = None
        for each in term.definitions:
            value = None if each == ENTRY else self._plain.known.get(each)
            if value is None or value.width != term.width:
                return None
            found = value if found is None else found.join(value)
        return found

    def form(self, form: AffineForm, term_span: Callable[[AffineTerm], Span] | None = None) -> Span:
        """Returns the range of a form as a sum of whole numbers, from the ranges of its terms."""
        span_of = self.term if term_span is None else term_span
        total = Span(form.offset, form.offset)
        for term, times in form.terms:
            total = total.plus(span_of(term).times(times))
            if total == UNBOUNDED:
                break
        return total

    def fits(self, form: AffineForm, width: int, *, is_signed: bool) -> bool:
        """Whether a form, as a sum of whole numbers, is always a number of a width."""
        return is_within(self.form(form), width, is_signed=is_signed)
