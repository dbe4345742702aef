"""Decides what comparisons with the parameters of a kernel exclude.

A launch can choose the parameters so that a comparison holds in all threads, or in those of whole
blocks. Code that no launch can reach is not written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.values.affine import TermKind
from ptx_ls.values.decoding import immediate, plain_name
from ptx_ls.values.reached.origins import PARAMETER, origins_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.affine_values import AffineValues
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_input import FunctionInput

_BELOW: Final = ("lt", "le")
_ABOVE: Final = ("gt", "ge")
_DIFFERENT: Final = "ne"
_BLOCK_INDEX: Final = "%ctaid."
_PARAMETERS: Final = frozenset({PARAMETER})
_MANY: Final = 1 << 16
"""More than the threads of a block, and than the iterations that fill an array."""


class LaunchConditions:
    """The conditions in a function that the parameters of a launch decide."""

    def __init__(self, given: FunctionInput, forms: AffineValues) -> None:
        self._given, self._forms = given, forms

    def has_small_limit(
        self, held: HeldComparison, value_of: Callable[[AffineForm], AbstractValue]
    ) -> bool:
        """Whether a comparison contains a number of parameters that is small in all launches.

        The launch cannot choose such a number freely: `min(n, 16)`, or `n` after `if (n <= 16)`.
        `value_of` returns what is known of a form where the comparison holds.
        """
        for side in (held.left, held.right):
            form = self._forms.operand(held.instruction, side, held.width)
            if form is not None and form.terms and self._is_of_parameters(held, side):
                value = value_of(form)
                if min(value.high, value.signed_high) < _MANY:
                    return True
        return False

    def holds_in_whole_blocks(self, held: HeldComparison) -> bool:
        """Whether a comparison only excludes the threads of a grid after the last element."""
        number = self._limited_form(held)
        names = [
            name
            for term, times in (number.terms if number is not None else ())
            for name in self._names(term)
            if times > 0
        ]
        return len(names) > 1 and any(name.startswith(_BLOCK_INDEX) for name in names)

    def block_after_the_first(self, held: HeldComparison) -> AffineTerm | None:
        """Returns the number of the block, if a comparison holds in all threads of later blocks.

        It then excludes the first elements of a grid, as `index >= 1` does.
        """
        number, limit = held.left, held.right
        if held.operator in _BELOW:
            number, limit = limit, number
        elif held.operator not in (*_ABOVE, _DIFFERENT):
            return None
        index, first = (
            self._forms.operand(held.instruction, each, held.width) for each in (number, limit)
        )
        if index is None or first is None or first.terms or not 0 <= first.offset < _MANY:
            return None
        if abs(index.offset) >= _MANY or any(times < 0 for _, times in index.terms):
            return None
        parts = [part for term, _ in index.terms for part in (term.factors or (term,))]
        if any(each.kind is not TermKind.SPECIAL for each in parts):
            return None
        return next((each for each in parts if each.name.startswith(_BLOCK_INDEX)), None)

    def compares_parameters(self, held: HeldComparison) -> bool:
        """Whether a comparison contains nothing but parameters and constants."""
        origins = {self._origins(held, each) for each in (held.left, held.right)}
        return origins <= {frozenset(), _PARAMETERS}

    def limited_number(self, held: HeldComparison) -> AffineTerm | None:
        """Returns the special register that must be below a parameter for a comparison to hold."""
        return self._limited_term(held, TermKind.SPECIAL)

    def limited_counter(self, held: HeldComparison) -> AffineTerm | None:
        """Returns the loop counter that must be small enough for a comparison to hold."""
        return self._limited_term(held, TermKind.COUNTER)

    def _limited_term(self, held: HeldComparison, kind: TermKind) -> AffineTerm | None:
        number = self._limited_form(held)
        if number is None or [it.kind for it, _ in number.terms] != [kind]:
            return None
        ((term, times),) = number.terms
        return term if times == 1 or (times > 0 and kind is TermKind.COUNTER) else None

    def _limited_form(self, held: HeldComparison) -> AffineForm | None:
        """Returns the number that must be below one that follows from parameters."""
        number, limit = held.left, held.right
        if held.operator in _ABOVE:
            number, limit = limit, number
        elif held.operator not in _BELOW:
            return None
        if not self._is_of_parameters(held, limit):
            return None
        return self._forms.operand(held.instruction, number, held.width)

    def _is_of_parameters(self, held: HeldComparison, operand: OperandSyntax) -> bool:
        """Whether one side of a comparison is computed from parameters alone."""
        form = self._forms.operand(held.instruction, operand, held.width)
        if form is not None and {it.kind for it, _ in form.terms} == {TermKind.PARAMETER}:
            return True
        return self._origins(held, operand) == _PARAMETERS

    def _origins(self, held: HeldComparison, operand: OperandSyntax) -> frozenset[str] | None:
        """Returns from what one side of a comparison is computed; None if that is unknown."""
        use = self._given.decoder.reading_use(held.instruction, plain_name(operand))
        if use is not None:
            return origins_of(self._given, self._given.flow.definitions(use).writes)
        return frozenset() if immediate(operand) is not None else None

    def _names(self, term: AffineTerm) -> Iterator[str]:
        """Yields the special registers on which a term depends."""
        if term.kind is TermKind.SPECIAL:
            yield term.name
        elif term.kind is TermKind.DEFINITION:
            yield from (origins_of(self._given, term.definitions) or frozenset()) - _PARAMETERS
        for factor in term.factors:
            yield from self._names(factor)
