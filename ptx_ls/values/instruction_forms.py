"""Finds the affine forms of the results of single instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from ptx_ls.semantics.declarations.stack_memory import ALLOCATING, allocated_memory
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.values.affine import (
    AffineForm,
    AffineTerm,
    TermKind,
    added,
    form_of,
    multiplied,
    number_form,
    plain_space,
    scaled,
    term_form,
)
from ptx_ls.values.affine_operands import ADDRESS_WIDTH, AffineOperands
from ptx_ls.values.decoding import immediate, named_part
from ptx_ls.values.transfer.number_types import INTEGER_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ptx_ls.values.affine_operands import DefinitionForms
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_input import FunctionInput
    from ptx_ls.values.unconditional_values import UnconditionalValues

MAX_FORM_WIDTH: Final = 64
MIN_FORM_WIDTH: Final = 8
_SPACES: Final = (".global", ".shared", ".local", ".const", ".param")


class InstructionForms:
    """The affine forms of results.

    Attributes:
        operands: the affine forms of operands.
    """

    def __init__(
        self, given: FunctionInput, plain: UnconditionalValues, forms: DefinitionForms
    ) -> None:
        self._given, self._plain, self._forms = given, plain, forms
        self.operands = AffineOperands(given, forms)

    def form(self, use: int) -> AffineForm | None:
        """Returns the form of what an instruction writes; None if it is a term of its own."""
        decoder = self._given.decoder
        width = decoder.width(use)
        instruction, place = decoder.of_use(use), decoder.destination(use)
        if place is None or not MIN_FORM_WIDTH <= width <= MAX_FORM_WIDTH:
            return None
        if instruction.name == "ld":
            return self._loaded(instruction, place[1], width)
        if instruction.name == ALLOCATING:
            return self._allocated(instruction, use, width)
        compute = self._COMPUTED.get(instruction.name)
        if compute is None or place != (0, -1) or not instruction.modifiers:
            return None
        type_ = INTEGER_TYPES.get(instruction.modifiers[-1])
        if type_ is None and instruction.name != "mov":
            return None
        found = compute(self, instruction, type_.width if type_ is not None else width)
        if found is None or found.width != width:
            return None
        return found

    def _loaded(
        self, instruction: DecodedInstruction, element: int, width: int
    ) -> AffineForm | None:
        """Returns the form of a parameter of the function that is loaded."""
        modifiers = instruction.modifiers
        if ".param" not in {plain_space(each) for each in modifiers} or not instruction.sources:
            return None
        type_ = INTEGER_TYPES.get(modifiers[-1])
        address = instruction.sources[0]
        if address.form is not OperandForm.ADDRESS or len(address.elements) != 1:
            return None
        found = named_part(address.elements[0])
        symbol = found and self._given.input_parameter(instruction, found[0])
        if not found or symbol is None or type_ is None or type_.width > width:
            return None
        offset = found[1] + max(element, 0) * type_.width // 8
        is_signed = type_.is_signed and type_.width < width
        term = AffineTerm(TermKind.PARAMETER, symbol.name, type_.width, is_signed, symbol, offset)
        return term_form(width, term)

    def _allocated(
        self, instruction: DecodedInstruction, use: int, width: int
    ) -> AffineForm | None:
        """Returns the address of memory on the stack, as that of a variable."""
        symbol = allocated_memory(instruction.found)
        if symbol is None:
            return None
        term = AffineTerm(
            TermKind.SYMBOL,
            symbol.name,
            ADDRESS_WIDTH,
            symbol=symbol,
            definitions=(use,),
            is_stable=self._forms.is_outside_loops(use),
        )
        return term_form(width, term)

    def _source(
        self, instruction: DecodedInstruction, number: int, width: int
    ) -> AffineForm | None:
        sources = instruction.sources
        return (
            self.operands.of(instruction, sources[number], width) if number < len(sources) else None
        )

    def _moved(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        source = instruction.sources[0] if len(instruction.sources) == 1 else None
        if source is None or len(instruction.modifiers) != 1:
            return None
        if source.form is not OperandForm.VECTOR:
            return self.operands.of(instruction, source, width)
        first, *others = source.elements
        if any(immediate(each) != 0 for each in others):
            return None
        return self.operands.extended(
            instruction, first, (width // len(source.elements), width), is_signed=False
        )

    def _sum(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        if ".sat" in instruction.modifiers:
            return None
        left, right = (self._source(instruction, number, width) for number in (0, 1))
        if left is None or right is None:
            return None
        return added(left, right, -1 if instruction.name == "sub" else 1)

    def _product(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        modifiers = instruction.modifiers
        if len(instruction.sources) < 2:  # noqa: PLR2004  two factors
            return None
        if ".wide" in modifiers:
            type_ = INTEGER_TYPES[modifiers[-1]]
            left, right = (
                self.operands.extended(
                    instruction, each, (width, 2 * width), is_signed=type_.is_signed
                )
                for each in instruction.sources[:2]
            )
        elif ".lo" in modifiers:
            left, right = (self._source(instruction, number, width) for number in (0, 1))
        else:
            return None
        return multiplied(left, right) if left is not None and right is not None else None

    def _product_and_sum(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        product = self._product(instruction, width)
        if product is None:
            return None
        term = self._source(instruction, 2, product.width)
        return None if term is None else added(product, term)

    def _shifted_left(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        amount = self._plain_source(instruction, 1, 32)
        source = self._source(instruction, 0, width)
        if amount is None or source is None:
            return None
        return number_form(width, 0) if amount >= width else scaled(source, 1 << amount)

    def _shifted_right(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        """Returns an exact quotient, if all parts of the form are divisible."""
        amount = self._plain_source(instruction, 1, 32)
        source = self._source(instruction, 0, width)
        if amount is None or source is None or amount >= width:
            return None
        divisor = 1 << amount
        if source.offset % divisor or any(times % divisor for _, times in source.terms):
            return None
        is_signed = INTEGER_TYPES[instruction.modifiers[-1]].is_signed
        if not self._forms.ranges.fits(source, width, is_signed=is_signed):
            return None
        terms = [(term, times // divisor) for term, times in source.terms]
        return form_of(width, terms, source.offset // divisor)

    def _plain_source(self, instruction: DecodedInstruction, number: int, width: int) -> int | None:
        """Returns the value of a source operand, if it is a constant."""
        sources = instruction.sources
        if number >= len(sources):
            return None
        value = self._plain.operand(instruction, sources[number], width, self._plain.read)
        return value.constant

    def _negated(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        source = self._source(instruction, 0, width)
        return None if source is None else scaled(source, -1)

    def _complement(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        source = self._source(instruction, 0, width)
        return None if source is None else added(number_form(width, -1), source, -1)

    def _masked(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        """Returns the form of an `and` whose mask has all bits that may be set."""
        values = [
            self._plain.operand(instruction, each, width, self._plain.read)
            for each in instruction.sources
        ]
        for number, other in ((0, 1), (1, 0)):
            if len(values) == 2 and values[0].width == values[1].width == width:  # noqa: PLR2004
                mask = values[other].constant
                if mask is not None and not ~values[number].zeros & ~mask & (1 << width) - 1:
                    return self._source(instruction, number, width)
        return None

    def _combined(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        """Returns the sum of values that have no bit in common."""
        values = [
            self._plain.operand(instruction, each, width, self._plain.read)
            for each in instruction.sources
        ]
        if len(values) != 2 or any(each.width != width for each in values):  # noqa: PLR2004
            return None
        if (values[0].zeros | values[1].zeros) != (1 << width) - 1:
            return None
        return self._sum(instruction, width)

    def _converted(self, instruction: DecodedInstruction, _: int) -> AffineForm | None:
        types = [INTEGER_TYPES.get(each) for each in instruction.modifiers]
        if len(types) != 2 or len(instruction.sources) != 1:  # noqa: PLR2004  to and from
            return None
        to, source = types
        if to is None or source is None:
            return None
        if to.width <= source.width:
            return self._source(instruction, 0, to.width)
        return self.operands.extended(
            instruction,
            instruction.sources[0],
            (source.width, to.width),
            is_signed=source.is_signed,
        )

    def _to_generic(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        """Returns a converted address: the start of the state space is added or subtracted."""
        spaces = [plain_space(each) for each in instruction.modifiers]
        space = next((each for each in spaces if each in _SPACES), None)
        source = self._source(instruction, 0, width)
        if space is None or source is None:
            return None
        window = term_form(width, AffineTerm(TermKind.WINDOW, space, ADDRESS_WIDTH))
        return added(source, window, -1 if ".to" in instruction.modifiers else 1)

    def _mapped(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        source = self._source(instruction, 0, width)
        if source is None:
            return None
        uses = instruction.uses
        rank = AffineTerm(
            TermKind.RANK,
            "rank",
            ADDRESS_WIDTH,
            definitions=(uses.start,) if uses else (),
            is_stable=bool(uses) and self._forms.is_outside_loops(uses.start),
        )
        return added(source, term_form(width, rank))

    def _selected(self, instruction: DecodedInstruction, width: int) -> AffineForm | None:
        if len(instruction.sources) != 3:  # noqa: PLR2004  two values and a predicate
            return None
        chosen = self._plain_source(instruction, 2, 1)
        forms = [self._source(instruction, number, width) for number in (0, 1)]
        if chosen is not None:
            return forms[0] if chosen else forms[1]
        return forms[0] if forms[0] == forms[1] else None

    _COMPUTED: ClassVar[
        Mapping[str, Callable[[InstructionForms, DecodedInstruction, int], AffineForm | None]]
    ] = {
        "mov": _moved,
        "add": _sum,
        "sub": _sum,
        "mul": _product,
        "mad": _product_and_sum,
        "shl": _shifted_left,
        "shr": _shifted_right,
        "neg": _negated,
        "not": _complement,
        "and": _masked,
        "or": _combined,
        "xor": _combined,
        "cvt": _converted,
        "cvta": _to_generic,
        "mapa": _mapped,
        "selp": _selected,
    }
