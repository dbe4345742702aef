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
    from collections.abc import Iterator

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.affine_values import AffineValues
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_input import FunctionInput

_BELOW: Final = ("lt", "le")
_ABOVE: Final = ("gt", "ge")
_BLOCK_INDEX: Final = "%ctaid."
_PARAMETERS: Final = frozenset({PARAMETER})


class LaunchConditions:
    """The conditions in a function that the parameters of a launch decide."""

    def __init__(self, given: FunctionInput, forms: AffineValues) -> None:
        self._given, self._forms = given, forms

    def holds_in_whole_blocks(self, held: HeldComparison) -> bool:
        """Whether a comparison holds in all threads of some block, for some parameters.

        It only compares parameters, or excludes the threads of a grid after the last element.
        """
        origins = {self._origins(held, each) for each in (held.left, held.right)}
        if origins <= {frozenset(), _PARAMETERS}:
            return True
        number = self._limited_form(held)
        names = [
            name
            for term, times in (number.terms if number is not None else ())
            for name in self._names(term)
            if times > 0
        ]
        return len(names) > 1 and any(name.startswith(_BLOCK_INDEX) for name in names)

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
        form = self._forms.operand(held.instruction, limit, held.width)
        is_parameter = form is not None and {it.kind for it, _ in form.terms} == {
            TermKind.PARAMETER
        }
        if not is_parameter and self._origins(held, limit) != _PARAMETERS:
            return None
        return self._forms.operand(held.instruction, number, held.width)

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
