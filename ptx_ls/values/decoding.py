"""Reads instructions: what they compute, and where their operands are among the uses."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.flow.statement_uses import first_use
from ptx_ls.semantics.constants.values import integer_of
from ptx_ls.syntax import parser
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.literals import number, whole
from ptx_ls.syntax.names import name_at
from ptx_ls.syntax.operands import OperandForm, OperandSyntax
from ptx_ls.syntax.parsing import instruction_parts
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES
from ptx_ls.syntax.statement import MAX_ANALYSED
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.transfer.number_types import INTEGER_TYPES

if TYPE_CHECKING:
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol

_MAX_OPCODES: Final = 2048
"""Number of opcodes whose modifiers are kept."""
_NO_DESTINATION: Final = frozenset({"st", "bra", "ret", "exit", "trap", "bar", "red", "prefetch"})
_GROUPS: Final = (OperandForm.VECTOR, OperandForm.LIST)
_SIGNS: Final = "-+ \t"
_WARP_SIZE: Final = "WARP_SZ"
_FLOATS: Final = {OperandForm.FLOAT32: 32, OperandForm.FLOAT64: 64}
_LAYOUTS: Final = {32: ("<I", "<f"), 64: ("<Q", "<d")}
"""How integers and floats of a width are packed."""


@lru_cache(maxsize=_MAX_OPCODES)
def _modifiers(opcode: str) -> tuple[str, ...]:
    return isa.types_last(tuple(modifiers_of(opcode)))


class DecodedInstruction:
    """An instruction with its operands, which are read on first use.

    Attributes:
        found: its text and place.
        name: its opcode without modifiers.
        modifiers: those of its opcode, with their dots, and types at the end.
        uses: the uses of registers in it.
        block: the number of its block; -1 outside of the body.
    """

    def __init__(self, found: Found, uses: range, block: int) -> None:
        self.found, self.uses, self.block = found, uses, block
        record = found.record
        self.name, self.modifiers = "", tuple[str, ...]()
        if len(found.text) > MAX_ANALYSED:
            return
        if isinstance(record, Shape):
            self.name, self.modifiers = record.name, _modifiers(record.opcode)
        else:
            tree = parser.parse(found.text).tree
            parts = [part for part, _, _ in instruction_parts.opcode_parts(tree)]
            self.name, self.modifiers = parts[0] if parts else "", isa.types_last(tuple(parts[1:]))

    @cached_property
    def operands(self) -> tuple[OperandSyntax, ...]:
        """Its operands as written; none of an extremely long instruction."""
        if not self.name:
            return ()
        record, text = self.found.record, self.found.text
        if isinstance(record, Shape):
            return written_operands(record, text)
        return instruction_parts.of_instruction(parser.parse(text).tree)[0]

    @property
    def n_operands(self) -> int:
        """The number of its operands."""
        record = self.found.record
        if isinstance(record, Shape) and self.name:
            return len(record.operands)
        return len(self.operands)

    @property
    def n_destinations(self) -> int:
        """The number of operands that it writes, for the instructions that are evaluated."""
        return 0 if self.name in _NO_DESTINATION else 1

    @property
    def sources(self) -> tuple[OperandSyntax, ...]:
        """The operands that it reads, for the instructions that are evaluated."""
        return self.operands[self.n_destinations :]


class Decoder:
    """Reads the instructions of a function, each once."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._known: dict[int, DecodedInstruction] = {}
        self._at: dict[tuple[int, int], DecodedInstruction] = {}
        self._widths: dict[int, int] = {}
        self._destinations: dict[int, dict[int, tuple[int, int]]] = {}
        self._reads: dict[int, dict[str, int]] = {}

    def of_use(self, use: int) -> DecodedInstruction:
        """Returns the instruction of a use."""
        first = self._flow.index.first(use)
        known = self._known.get(first)
        if known is None:
            found = self._flow.statement(first)
            known = self._known[first] = self._read(found, self._flow.index.statement(first))
        return known

    def of_statement(self, found: Found) -> DecodedInstruction:
        """Returns a statement as an instruction."""
        known = self._at.get(found.start)
        if known is None:
            first = first_use(self._flow, found)
            known = self._read(found, range(0)) if first < 0 else self.of_use(first)
            self._at[found.start] = known
        return known

    def use_after(self, found: Found) -> int:
        """Returns the number of the first use on a line of a statement, or after it."""
        return bisect_left(self._flow.uses.rows, found.start[0])

    def _read(self, found: Found, uses: range) -> DecodedInstruction:
        return DecodedInstruction(found, uses, self._flow.block_at(found.start))

    def reading_use(self, instruction: DecodedInstruction, name: str) -> int | None:
        """Returns the use with which an instruction reads a register; None for other names."""
        uses, flow = instruction.uses, self._flow
        if not uses:
            return None
        names = self._reads.get(uses.start)
        if names is None:
            reading = [each for each in reversed(uses) if flow.uses.ways[each] & READS]
            names = self._reads[uses.start] = {flow.name_of(each): each for each in reading}
        return names.get(name)

    def number(self, instruction: DecodedInstruction, operand: OperandSyntax) -> int | None:
        """Returns an immediate, or the one that `mov` has written to the register; None for others.

        Compilers move the lanes and masks of warp instructions to registers.
        """
        found = immediate(operand)
        use = self.reading_use(instruction, plain_name(operand)) if found is None else None
        write = None if use is None else self._flow.definition(use)
        if write is None:
            return found
        definition = self.of_use(write)
        is_plain = definition.name == "mov" and not self._is_guarded(definition)
        return immediate(definition.sources[0]) if is_plain and definition.sources else None

    def _is_guarded(self, instruction: DecodedInstruction) -> bool:
        uses = instruction.uses
        return bool(uses) and bool(self._flow.uses.ways[uses.start] & GUARDS)

    def symbol(self, instruction: DecodedInstruction, name: str) -> Symbol | None:
        """Returns the declaration that a name in an instruction means, within the function."""
        scope = self._flow.facts.scope_at(instruction.found.start)
        return scope.lookup(name, instruction.found.start)

    def width(self, use: int) -> int:
        """Returns the number of bits of a register; 0 if it is a vector or has no plain type."""
        code = self._flow.uses.codes[use]
        known = self._widths.get(code)
        if known is None:
            symbol = self.symbol(self.of_use(use), self._flow.name_of(use))
            known = self._widths[code] = 0 if symbol is None else _width_of(symbol)
        return known

    def destination(self, use: int) -> tuple[int, int] | None:
        """Returns which result of its instruction a use writes.

        That is 0 and the number of the element in braces, or -1 without them; 1 and -1 for `q` of
        `p|q`. None if another operand is the register, too, or has another form.
        """
        instruction = self.of_use(use)
        first = instruction.uses.start
        if first not in self._destinations:
            self._destinations[first] = self._find_destinations(instruction)
        return self._destinations[first].get(self._flow.uses.codes[use])

    def _find_destinations(self, instruction: DecodedInstruction) -> dict[int, tuple[int, int]]:
        """Returns which results an instruction writes to registers, by their codes."""
        if not instruction.operands or not instruction.n_destinations:
            return {}
        flow, places = self._flow, _places_in(instruction.operands[0])
        writes = [each for each in instruction.uses if flow.uses.ways[each] & WRITES]
        counts = Counter([flow.uses.codes[each] for each in writes])
        named = {flow.name_of(each): flow.uses.codes[each] for each in writes}
        return {
            code: places[name]
            for name, code in named.items()
            if counts[code] == 1 and name in places
        }


def _places_in(operand: OperandSyntax) -> dict[str, tuple[int, int]]:
    """Returns the results that the names in the first operand are, as in `destination`."""
    if operand.form in _GROUPS:
        if operand.form is not OperandForm.VECTOR or operand.paired is not None:
            return {}
        names = [plain_name(each) for each in operand.elements]
        counts = Counter(names)
        return {name: (0, at) for at, name in enumerate(names) if counts[name] == 1}
    if operand.paired is None:
        return {first_name(operand): (0, -1)}
    first = first_name(operand._replace(paired=None))
    return {first: (0, -1), plain_name(operand.paired): (1, -1)}


def plain_name(operand: OperandSyntax) -> str:
    """Returns the name that an operand is; "" if it is more than a name."""
    is_plain = operand.form is OperandForm.IDENTIFIER and operand.paired is None
    is_plain = is_plain and not operand.selector and not operand.has_offset
    return operand.text if is_plain and not operand.negation else ""


def first_name(operand: OperandSyntax) -> str:
    """Returns the name at the start of an operand such as `p|q`."""
    if operand.form is not OperandForm.IDENTIFIER or operand.selector or operand.negation:
        return ""
    return operand.text.partition("|")[0].strip()


def _width_of(symbol: Symbol) -> int:
    if symbol.vector_size != 1 or symbol.dimensions:
        return 0
    type_ = INTEGER_TYPES.get(symbol.type)
    return type_.width if type_ is not None else isa.database().type_facts.get(symbol.type, (0,))[0]


def immediate(operand: OperandSyntax) -> int | None:
    """Returns the value of a constant integer operand; None if it is none."""
    if operand.form not in (OperandForm.INTEGER, OperandForm.EXPRESSION):
        is_warp_size = operand.text.lstrip(_SIGNS).startswith(_WARP_SIZE)
        if operand.form is not OperandForm.IDENTIFIER or not is_warp_size:
            return None
    return integer_of(operand.text)


def float_bits(operand: OperandSyntax, width: int) -> int | None:
    """Returns the bits of a constant that is a float of a width; None for others."""
    if operand.form is OperandForm.DECIMAL:
        return _packed(number(operand.text), width)
    if _FLOATS.get(operand.form) != width or operand.negation:
        return None
    return whole(f"0x{operand.text[2:]}")


def _packed(value: float | None, width: int) -> int | None:
    """Returns the bits of the float of a width that is nearest to a number."""
    layouts = _LAYOUTS.get(width)
    if value is None or layouts is None:
        return None
    import struct  # noqa: PLC0415  for few functions

    whole_layout, layout = layouts
    try:
        packed = struct.pack(layout, value)
    except OverflowError:  # it is infinite, or too large, which ptxas rejects
        return None
    (bits,) = struct.unpack(whole_layout, packed)
    return int(bits)


def named_part(operand: OperandSyntax) -> tuple[str, int] | None:
    """Returns the name at the start of an operand, and the constant added to it, or None."""
    if operand.form is not OperandForm.IDENTIFIER or operand.negation or operand.paired is not None:
        return None
    match = name_at(operand.text)
    if match is None:
        return None
    name, rest = match[0], operand.text[match.end() :].strip()
    if not rest:
        return name, 0
    if rest[0] not in "+-":
        return None
    added = integer_of(rest.removeprefix("+"))
    return None if added is None else (name, added)
