"""Follows values in a function: the instruction that makes one, and those that read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.literals import number
from ptx_ls.syntax.operands import FLOATS
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.values.decoding import Decoder, plain_name
from ptx_ls.values.function_values import function_values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.decoding import DecodedInstruction

_WHOLE: Final = (0, -1)
"""The destination of an instruction that writes one register."""


class Computation:
    """The instructions of a function, connected by the values in registers.

    Attributes:
        values: what is known of these.
        flow: the uses of registers.
    """

    def __init__(self, seen: CheckInput) -> None:
        self._text = seen.text
        self.values = function_values(seen.function, seen.module)
        self.flow = self.values.flow
        self._decoder = Decoder(self.flow)

    def instructions(self, shapes: AbstractSet[Shape]) -> Iterator[DecodedInstruction]:
        """Yields the instructions of some shapes."""
        for _, instruction in self.by_shape(shapes):
            yield instruction

    def by_shape(self, shapes: AbstractSet[Shape]) -> Iterator[tuple[Shape, DecodedInstruction]]:
        """Yields the instructions of some shapes, each with its shape."""
        for found in self._text.statements_of(self._text.with_shapes(shapes)):
            if isinstance(found.record, Shape) and found.record in shapes:
                yield found.record, self.instruction(found)

    def instruction(self, found: Found) -> DecodedInstruction:
        """Returns a statement as an instruction."""
        return self._decoder.of_statement(found)

    def maker(
        self, instruction: DecodedInstruction, operand: OperandSyntax
    ) -> DecodedInstruction | None:
        """Returns the instruction that makes the value of an operand, which is a register.

        None if it is not a register, if several instructions may write it, or if the instruction
        writes more than this register, or reads nothing.
        """
        use = self._reading_use(instruction, operand)
        definition = None if use is None else self.flow.definition(use)
        if definition is None or self._decoder.destination(definition) != _WHOLE:
            return None
        maker = self._decoder.of_use(definition)
        return maker if maker.sources else None

    def _reading_use(self, instruction: DecodedInstruction, operand: OperandSyntax) -> int | None:
        name = plain_name(operand)
        return self._decoder.reading_use(instruction, name) if name else None

    def width(self, instruction: DecodedInstruction, operand: OperandSyntax) -> int:
        """Returns the number of bits of the register that is an operand; 0 for other operands."""
        use = self._reading_use(instruction, operand)
        return 0 if use is None else self._decoder.width(use)

    def number(self, instruction: DecodedInstruction, operand: OperandSyntax) -> float | None:
        """Returns the number that an operand is, as a literal or from a `mov` of one."""
        if operand.form in FLOATS:
            value = number(operand.text)
            return None if value is None else float(value)
        maker = self.maker(instruction, operand)
        if maker is None or maker.name != "mov" or maker.operands[1].form not in FLOATS:
            return None
        return self.number(maker, maker.operands[1])

    def readers(self, instruction: DecodedInstruction) -> list[DecodedInstruction] | None:
        """Returns the instructions that read the only result of one; None if it has several."""
        uses = self.flow.uses
        writes = [use for use in instruction.uses if uses.ways[use] & WRITES]
        if len(writes) != 1 or uses.codes[writes[0]] in self.flow.registers.results:
            return None
        found = {self.flow.index.first(use): use for use in self.flow.readers(writes[0])}
        return [self._decoder.of_use(use) for use in found.values()]

    def is_kept(
        self, earlier: DecodedInstruction, operand: OperandSyntax, later: DecodedInstruction
    ) -> bool:
        """Whether an operand that an instruction reads has the same value at a later one.

        `later` must run only after `earlier`, as if it read a result of it.
        """
        name = plain_name(operand)
        use = self._decoder.reading_use(earlier, name) if name else None
        if use is None:
            return not name
        code = self.flow.uses.codes[use]
        n_writes = sum(map(len, self.flow.chain(code).writes.values()))
        if n_writes == 1 and self.flow.definition(use) is not None:
            return True
        between = range(earlier.uses.start, later.uses.start)
        if earlier.block != later.block or not between:
            return False
        ways = self.flow.uses.ways
        codes = self.flow.uses.codes
        return not any(ways[each] & WRITES and codes[each] == code for each in between)

    def has_result(self, earlier: DecodedInstruction, later: DecodedInstruction) -> bool:
        """Whether the result of an instruction is still in its register at a later one.

        Both have to be in one block.
        """
        ways, codes = self.flow.uses.ways, self.flow.uses.codes
        written = {codes[use] for use in earlier.uses if ways[use] & WRITES}
        between = range(earlier.uses.stop, later.uses.start)
        return not any(ways[use] & WRITES and codes[use] in written for use in between)

    def shape(self, instruction: DecodedInstruction | None) -> Shape | None:
        """Returns the shape of an instruction; None for one over several lines."""
        record = instruction.found.record if instruction is not None else None
        return record if isinstance(record, Shape) else None

    def is_guarded(self, instruction: DecodedInstruction) -> bool:
        """Whether an instruction has a guard."""
        uses = instruction.uses
        return bool(uses) and self.flow.index.guard(uses.start) is not None

    def is_in_loop(self, instruction: DecodedInstruction) -> bool:
        """Whether an instruction may run several times."""
        return next(iter(self.flow.graph.loops_around(instruction.block)), None) is not None
