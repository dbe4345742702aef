"""Evaluates what instructions write, without regard to the conditions under which they run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.storage import pointed_alignment
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.register_events import READS
from ptx_ls.values import abstract_value
from ptx_ls.values.abstract_value import AbstractValue, constant, truncated, unknown
from ptx_ls.values.affine import plain_space
from ptx_ls.values.decoding import float_bits, immediate, named_part, plain_name
from ptx_ls.values.known_bits import MAX_WIDTH, mask_of
from ptx_ls.values.special_registers import special_value
from ptx_ls.values.transfer.bitwise import joined
from ptx_ls.values.transfer.conversion import part
from ptx_ls.values.transfer.number_types import INTEGER_TYPES
from ptx_ls.values.transfer.operations import operation_of, predicate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_input import FunctionInput
    from ptx_ls.values.slices import Component

Read = Callable[[int], AbstractValue]
"""Returns what is known of the register at a use that reads it."""
Evaluation = Callable[[Read], AbstractValue]
"""Returns what is known of a result or an operand, given what is read."""
_LOADS: Final = ("ld", "ldu")
_WORD: Final = 32
_N_PLAIN_ROUNDS: Final = 3
"""Number of rounds in a cycle before ranges that still grow are given up."""
_MAX_ROUNDS: Final = 64
_N_NARROWING_ROUNDS: Final = 2
MAX_ADDRESS: Final = 1 << 24
"""No address in .shared, .local, .const or .param is beyond; the largest of these has 512 KiB."""
SMALL_SPACES: Final = (".shared", ".local", ".const", ".param")


class UnconditionalValues:
    """Known facts about each definition; see `evaluate`.

    Attributes:
        known: the values of the definitions that were evaluated.
        cyclic: those of them that depend on themselves.
    """

    def __init__(self, given: FunctionInput) -> None:
        self._given = given
        self.known: dict[int, AbstractValue] = {}
        self.cyclic: set[int] = set()

    def sources(self, use: int) -> tuple[int, ...]:
        """Returns the definitions that the value of a definition depends on."""
        instruction = self._given.decoder.of_use(use)
        if not self._is_evaluated(instruction):
            return ()
        flow, found = self._given.flow, dict[int, None]()
        for each in instruction.uses:
            if flow.uses.ways[each] & READS:
                found.update(dict.fromkeys(flow.definitions(each).writes))
        return tuple(found)

    def _is_evaluated(self, instruction: DecodedInstruction) -> bool:
        """Whether anything may be known of the result of an instruction."""
        n_sources = instruction.n_operands - instruction.n_destinations
        if instruction.name in _LOADS or n_sources < 1:
            return False
        if instruction.name == "mov":
            return True
        return operation_of(instruction.name, instruction.modifiers, n_sources) is not None

    def read(self, use: int) -> AbstractValue:
        """Returns what is known of the register at a use that reads it."""
        return self._joined(use, self.known.get)

    def _joined(self, use: int, value_of: Callable[[int], AbstractValue | None]) -> AbstractValue:
        width = self._given.decoder.width(use) or MAX_WIDTH
        writes, from_entry, _ = self._given.flow.definitions(use)
        if from_entry or not writes:
            return unknown(width)
        found = abstract_value.impossible(width)
        for each in writes:
            value = value_of(each)
            if value is None or value.width != width:
                return unknown(width)
            found = found.join(value)
        return found

    def evaluate(self, component: Component) -> None:
        """Finds what is known of definitions, given all that they depend on."""
        if component.is_cut:
            (use,) = component.members
            self.known[use] = unknown(self._width(use))
        elif component.is_cyclic:
            self._evaluate_cycle(component.members)
        else:
            (use,) = component.members
            self.known[use] = self.result(use, self.read)

    def _width(self, use: int) -> int:
        return self._given.decoder.width(use) or MAX_WIDTH

    def _evaluate_cycle(self, members: tuple[int, ...]) -> None:
        """Evaluates definitions that depend on each other, until no result changes.

        They begin as impossible. Ranges that keep growing are widened to all numbers, and a few
        more rounds restore what follows from the rest.
        """
        self.cyclic.update(members)
        values = {use: abstract_value.impossible(self._width(use)) for use in members}
        self.known.update(values)
        evaluations = {use: self.evaluation(use) for use in members}
        for number in range(_MAX_ROUNDS):
            is_changed = False
            for use in members:
                before = self.known[use]
                after = before.join(evaluations[use](self.read))
                if after[:7] != before[:7]:
                    is_changed = True
                    self.known[use] = after if number < _N_PLAIN_ROUNDS else _widened(before, after)
            if not is_changed:
                break
        else:
            self.known.update({use: unknown(self._width(use)) for use in members})
        for _ in range(_N_NARROWING_ROUNDS):
            for use in members:
                self.known[use] = self.known[use].meet(evaluations[use](self.read))

    def result(self, use: int, read: Read) -> AbstractValue:
        """Returns what is known of the value that a use writes, given what is read."""
        return self.evaluation(use)(read)

    def evaluation(self, use: int) -> Evaluation:
        """Returns what a use writes, as a function of what is read.

        The instruction is decoded once, also if it is evaluated for many threads or rounds.
        """
        decoder = self._given.decoder
        width = decoder.width(use)
        if not width:
            return _always(unknown(MAX_WIDTH))
        instruction, place = decoder.of_use(use), decoder.destination(use)
        if place is None:
            return _always(unknown(width))
        number, element = place
        is_load = instruction.name in _LOADS
        sources = () if is_load else instruction.sources
        if instruction.name == "mov" and (element >= 0 or _is_vector(sources)):
            return partial(self._split_or_joined, instruction, element, width)
        if is_load and (address := self._pointer(instruction, width)) is not None:
            return _always(address)
        operation = operation_of(instruction.name, instruction.modifiers, len(sources))
        if operation is None or (element >= 0 and not is_load):
            return _always(unknown(width))
        given = [
            self._operand(instruction, each, own)
            for each, own in zip(sources, operation.widths, strict=True)
        ]
        run = operation.second_result if number else operation.result
        return lambda read: run([each(read) for each in given], width)

    def _pointer(self, instruction: DecodedInstruction, width: int) -> AbstractValue | None:
        """Returns a loaded parameter that is a pointer with a stated alignment, or None."""
        if len(instruction.sources) != 1 or not instruction.sources[0].elements:
            return None
        found = named_part(instruction.sources[0].elements[0])
        if found is None or found[1]:
            return None
        symbol = self._given.input_parameter(instruction, found[0])
        type_ = INTEGER_TYPES.get(instruction.modifiers[-1])
        if symbol is None or type_ is None or type_.width != width:
            return None
        alignment = pointed_alignment(symbol)
        return abstract_value.from_bits(width, (mask_of(alignment.bit_length() - 1), 0))

    def _split_or_joined(
        self, instruction: DecodedInstruction, element: int, width: int, read: Read
    ) -> AbstractValue:
        """Returns the result of a `mov` from or to several registers in braces."""
        type_ = INTEGER_TYPES.get(instruction.modifiers[-1]) if instruction.modifiers else None
        if type_ is None or len(instruction.sources) != 1 or len(instruction.modifiers) != 1:
            return unknown(width)
        (source,) = instruction.sources
        if element < 0:
            size = type_.width // len(source.elements)
            parts = [self.operand(instruction, it, size, read) for it in source.elements]
            whole = joined([truncated(each, size) for each in parts], type_.width)
            return whole if type_.width == width else unknown(width)
        n_parts = len(instruction.operands[0].elements)
        value = self.operand(instruction, source, type_.width, read)
        if _is_vector((source,)) or value.width < type_.width or width * n_parts != type_.width:
            return unknown(width)
        return part(truncated(value, type_.width), element * width, width)

    def operand(
        self, instruction: DecodedInstruction, operand: OperandSyntax, width: int, read: Read
    ) -> AbstractValue:
        """Returns what is known of an operand that is read with a type of a width.

        The result of a register has the width of that register.
        """
        return self._operand(instruction, operand, width)(read)

    def _operand(
        self, instruction: DecodedInstruction, operand: OperandSyntax, width: int
    ) -> Evaluation:
        """Returns what is known of an operand, as a function of what is read."""
        number = immediate(operand)
        if number is not None:
            return _always(constant(width, number))
        bits = float_bits(operand, width)
        if bits is not None:
            return _always(constant(width, bits))
        if operand.form is not OperandForm.IDENTIFIER:
            return _always(unknown(width))
        is_negated = operand.negation == "!"
        name = plain_name(operand._replace(negation="") if is_negated else operand)
        name = name.lstrip("! \t")
        use = self._given.decoder.reading_use(instruction, name) if name else None
        if use is not None:
            return lambda read: predicate(read(use), is_negated=is_negated)
        if operand.text.startswith("%"):
            return lambda _: self.special(operand.text, width)
        return _always(self._address_of(instruction, operand, width))

    def special(self, name: str, width: int) -> AbstractValue:
        """Returns what is known of a special register that is read with a type of a width."""
        type_ = self._given.special_width(name)
        if not type_:
            return unknown(width)
        return truncated(special_value(name, type_, self._given.bounds), width)

    def _address_of(
        self, instruction: DecodedInstruction, operand: OperandSyntax, width: int
    ) -> AbstractValue:
        found = named_part(operand)
        symbol = found and self._given.symbol(instruction, found[0])
        if not found or symbol is None:
            return unknown(width)
        value = truncated(symbol_address(symbol), width)
        return abstract_value.shifted_by(value, found[1])


def _always(value: AbstractValue) -> Evaluation:
    """Returns an evaluation that does not depend on what is read."""
    return lambda _: value


def _is_vector(sources: Sequence[OperandSyntax]) -> bool:
    return len(sources) == 1 and sources[0].form is OperandForm.VECTOR


def symbol_address(symbol: Symbol) -> AbstractValue:
    """Returns what is known of the address of a variable, in 64 bits."""
    if symbol.kind not in (SymbolKind.VARIABLE, SymbolKind.PARAMETER):
        return unknown(64)
    bits = mask_of(alignment_of(symbol).bit_length() - 1), 0
    found = abstract_value.from_bits(64, bits)
    if plain_space(symbol.space) in SMALL_SPACES:
        return found.meet(abstract_value.from_range(64, 0, MAX_ADDRESS))
    return found


def alignment_of(symbol: Symbol) -> int:
    """Returns the alignment of a variable in bytes: the declared one, or that of its type."""
    if symbol.alignment:
        return symbol.alignment & -symbol.alignment
    type_ = INTEGER_TYPES.get(symbol.type)
    size = type_.width // 8 if type_ is not None else _float_size(symbol.type)
    return size * symbol.vector_size if size & -size == size else 1


def _float_size(type_: str) -> int:
    digits = type_.lstrip(".bf")
    return int(digits) // 8 if digits.isdecimal() else 1


def _widened(before: AbstractValue, after: AbstractValue) -> AbstractValue:
    """Returns a value without the bounds that have just grown, and the bits that may follow.

    Without this, a carry makes the bits above a lost one unknown one by one, in a round each.
    """
    top = unknown(before.width)
    lost = before.zeros & ~after.zeros | before.ones & ~after.ones
    kept = (lost & -lost) - 1 if lost else -1
    return abstract_value.made(
        before.width,
        (after.zeros & kept, after.ones & kept),
        (
            top.low if after.low < before.low else after.low,
            top.high if after.high > before.high else after.high,
        ),
        (
            top.signed_low if after.signed_low < before.signed_low else after.signed_low,
            top.signed_high if after.signed_high > before.signed_high else after.signed_high,
        ),
    )
