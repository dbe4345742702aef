"""Finds the affine forms of operands.

Forms of narrow registers are extended only if the ranges of their terms show that they do not wrap
around.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.values.affine import (
    AffineForm,
    AffineTerm,
    TermKind,
    form_of,
    number_form,
    resized,
    term_form,
)
from ptx_ls.values.code_place import ENTRY
from ptx_ls.values.decoding import immediate, named_part, plain_name
from ptx_ls.values.special_registers import special_value

if TYPE_CHECKING:
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_input import FunctionInput
    from ptx_ls.values.term_ranges import TermRanges

ADDRESS_WIDTH: Final = 64
_LOCAL: Final = ".local"


class DefinitionForms(Protocol):
    """The forms of definitions."""

    ranges: TermRanges

    def read(self, use: int) -> AffineForm | None:
        """Returns the form of the register at a use that reads it."""

    def definition_term(self, definitions: tuple[int, ...], width: int) -> AffineTerm:
        """Returns the term for what one of some definitions writes."""

    def is_outside_loops(self, use: int) -> bool:
        """Whether an instruction runs at most once in each execution of the function."""


class AffineOperands:
    """The affine forms of operands."""

    def __init__(self, given: FunctionInput, forms: DefinitionForms) -> None:
        self._given, self._forms = given, forms

    def of(
        self, instruction: DecodedInstruction, operand: OperandSyntax, width: int
    ) -> AffineForm | None:
        """Returns the form of an operand that is read with a type of a width."""
        number = immediate(operand)
        if number is not None:
            return number_form(width, number)
        if operand.form is not OperandForm.IDENTIFIER:
            return None
        name = plain_name(operand)
        use = self._given.decoder.reading_use(instruction, name) if name else None
        if use is not None:
            form = self._forms.read(use)
            return None if form is None or form.width < width else resized(form, width)
        if operand.text.startswith("%"):
            return self._special(operand.text, width)
        return self._address_of(instruction, operand, width)

    def _special(self, name: str, width: int) -> AffineForm | None:
        own = self._given.special_width(name)
        if not own or own < width:
            return None
        known = special_value(name, own, self._given.bounds)
        if known.constant is not None:
            return number_form(width, known.constant)
        if not self._given.is_constant_special(name):
            return None
        return term_form(width, AffineTerm(TermKind.SPECIAL, name, own))

    def _address_of(
        self, instruction: DecodedInstruction, operand: OperandSyntax, width: int
    ) -> AffineForm | None:
        """Returns the form of the address of a variable, with a constant added to it."""
        found = named_part(operand)
        symbol = found and self._given.symbol(instruction, found[0])
        if not found or symbol is None:
            return None
        if symbol.kind not in (SymbolKind.VARIABLE, SymbolKind.PARAMETER):
            return None
        if symbol.kind is SymbolKind.PARAMETER and not self._given.is_kernel:
            symbol = symbol._replace(space=_LOCAL)  # it is copied to where it has an address
        term = AffineTerm(TermKind.SYMBOL, symbol.name, ADDRESS_WIDTH, symbol=symbol)
        return form_of(width, [(term, 1)], found[1])

    def extended(
        self,
        instruction: DecodedInstruction,
        operand: OperandSyntax,
        widths: tuple[int, int],
        *,
        is_signed: bool,
    ) -> AffineForm | None:
        """Returns the form of an operand that is extended from one width to another."""
        width, target = widths
        number = immediate(operand)
        if number is not None:
            low = number & (1 << width) - 1
            return number_form(target, low - (is_signed and low >> width - 1 << width))
        form = self.of(instruction, operand, width)
        if form is None:
            return None
        if self._forms.ranges.fits(form, width, is_signed=is_signed):
            return resized(form, target)
        term = self._whole_term(instruction, operand, form)
        if term is None:
            return None
        is_signed = is_signed and not self._forms.ranges.fits(
            term_form(width, term), width, is_signed=True
        )
        return term_form(target, term._replace(is_signed=is_signed))

    def _whole_term(
        self, instruction: DecodedInstruction, operand: OperandSyntax, form: AffineForm
    ) -> AffineTerm | None:
        """Returns the term that is an operand as a whole, as wide as its form."""
        if len(form.terms) == 1 and form.offset == 0:
            ((term, times),) = form.terms
            if times == 1 and term.width == form.width:
                return term._replace(is_signed=False)
        name = plain_name(operand)
        use = self._given.decoder.reading_use(instruction, name) if name else None
        if use is None or self._given.decoder.width(use) != form.width:
            return None
        writes, from_entry, _ = self._given.flow.definitions(use)
        definitions = (ENTRY, *writes) if from_entry else writes
        return self._forms.definition_term(definitions, form.width) if writes else None
