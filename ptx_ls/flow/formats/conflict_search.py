"""Decides whether an instruction reads a value in another format than that of the value.

Only values whose format is certain count: programs also take floats apart, compare their bits, and
build them from parts, by shifts, masks and constants with an exponent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.address_uses import AddressUses
from ptx_ls.flow.formats.biases import Biases
from ptx_ls.flow.formats.format_trace import (
    FormatKind,
    FormatTrace,
    NumberFormat,
    name_of,
    value_of,
)
from ptx_ls.flow.formats.opcode_formats import (
    IntegerReading,
    OpcodeFormats,
    ResultFormat,
    opcode_formats,
)
from ptx_ls.flow.formats.rounded_sums import RoundedSums
from ptx_ls.flow.slices.sources import before_copies, reads_with, record_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.flow.registers.register_table import RegisterTable
    from ptx_ls.syntax.operands import OperandSyntax

_WIDE: Final = (".f32", ".f64")
"""Formats in which small integers have no exponent. In shorter ones, they are used as numbers."""
_MAX_ELEMENT: Final = 1 << 12
"""Maximum size of an element; larger factors occur in hashes and random numbers."""

_FRACTION_BITS: Final = 2
"""Number of low bits of a rounded sum that may hold a fraction."""
_MAX_LIMIT: Final = 1 << 16
"""Maximum of a number to which integers are limited; larger ones may be the bits of a float."""


class FormatConflict(NamedTuple):
    """A value that is read in a format that it does not have.

    Attributes:
        use: the use that reads the value.
        made: what the value is.
        wanted: the format in which it is read; "" for an integer.
        reading: how an instruction for integers uses it, or None.
        definition: a use that writes the value.
    """

    use: int
    made: NumberFormat
    wanted: str
    reading: IntegerReading | None
    definition: int


def _codes_like(table: RegisterTable, code: int) -> Iterator[int]:
    """Yields the codes of all registers with the same name."""
    yield code
    if table.shared and code < len(table.shared) and table.shared[code]:
        own = table.bank(code)
        for base, symbol in table.banks:
            if symbol.name == own.name and symbol.start != own.start:
                number = code - next(it.base for it in table.banks if it.symbol is own)
                if number < (symbol.count or 1):
                    yield base + number


class ConflictSearch:
    """The search for conflicts in a function."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow, self._trace = flow, FormatTrace(flow)
        self._rounded_sums = RoundedSums(flow, self._trace)
        self._addresses = AddressUses(flow, Biases(flow, self._trace))

    def reads_of(self, codes: Iterable[int]) -> Iterator[int]:
        """Yields the uses that read some registers, given by the codes of their names."""
        flow = self._flow
        for code in codes:
            for same in _codes_like(flow.registers, code):
                yield from (use for use in flow.index.of(same) if flow.uses.ways[use] & READS)

    def _formats(self, use: int) -> OpcodeFormats:
        record = record_of(self._flow, use)
        return opcode_formats(record.opcode if isinstance(record, Shape) else "")

    def conflict(self, use: int) -> FormatConflict | None:
        """Returns the conflict between what a use reads and how, if there is one."""
        formats = self._formats(use)
        if not formats.floats and not formats.integers:
            return self._of_address(use)
        made = self._trace.read(use)
        may_be_misread = any(_is_misread(made, wanted) for _, wanted in formats.floats)
        if not (may_be_misread or (made.kind is FormatKind.FLOAT and formats.integers)):
            return None
        name, found = self._flow.name_of(use), self._flow.statement(use)
        if not isinstance(found.record, Shape) or use != self._trace.use_of(use, name):
            return None  # a name that occurs twice is examined once
        operands = written_operands(found.record, found.text)
        places = [at for at, each in enumerate(operands) if name_of(each) == name]
        for number, wanted in formats.floats:
            if number in places and _is_misread(made, wanted) and not self._is_scaled(use):
                return FormatConflict(use, made, wanted, None, self._definition(use))
        for number, reading in formats.integers:
            if number in places and made.kind is FormatKind.FLOAT:
                others = [each for at, each in enumerate(operands[:3]) if at not in (0, number)]
                if self._is_integer_use(use, reading, others):
                    return FormatConflict(use, made, "", reading, self._definition(use))
        return self._of_address(use)

    def _of_address(self, use: int) -> FormatConflict | None:
        """Returns the conflict of a float that is read as an address, if it is one."""
        made = self._trace.read(use)
        if made.kind is not FormatKind.FLOAT or not self._addresses.is_address(use):
            return None
        reading = IntegerReading.ADDRESS
        return FormatConflict(use, made, "", reading, self._definition(use))

    def _definition(self, use: int) -> int:
        return self._trace.definitions(use)[0]

    def _is_scaled(self, use: int) -> bool:
        """Whether a value may be a float that was scaled so that, as an integer, it is bits.

        Fast exponentials compute the exponent and the bias of the result this way.
        """
        return any(
            self._rounded_sums.may_reach(read, 0)
            for write in before_copies(self._flow, use)
            if self._formats(write).result is ResultFormat.COUNT and self._formats(write).floats
            for read in reads_with(self._flow, write)
        )

    def _is_integer_use(
        self, use: int, reading: IntegerReading, others: Sequence[OperandSyntax]
    ) -> bool:
        """Whether an operand with the bits of a float is used in a way that only suits integers."""
        if reading in (IntegerReading.AMOUNT, IntegerReading.DIVISOR):
            return True
        if reading is IntegerReading.ADDRESS:
            return self._addresses.contains(use) and not self._is_rounded(use)
        if reading is IntegerReading.SCALED:
            is_index = _is_element_size(others) and self._addresses.may_contain(use)
            return is_index and not self._is_rounded(use)
        reads = [self._trace.use_of(use, name_of(each)) for each in others]
        kinds = [self._trace.read(each).kind for each in reads if each is not None]
        if reading in (IntegerReading.ADDED, IntegerReading.MULTIPLIED):
            # Hashes also contain sums and products of bits.
            is_number = FormatKind.COUNT in kinds or FormatKind.FLOAT in kinds
            return is_number and self._is_read_as_float(use)
        if reading is IntegerReading.LIMITED and _is_limit(others):
            return True
        return FormatKind.COUNT in kinds

    def _is_rounded(self, use: int) -> bool:
        """Whether the low bits of a float may be an integer."""
        return self._rounded_sums.may_reach(use, _FRACTION_BITS)

    def _is_read_as_float(self, use: int) -> bool:
        """Whether an instruction for floats reads the result of an instruction."""
        flow = self._flow
        for write in flow.written_by(use).values():
            name = flow.name_of(write)
            for reader in flow.readers(write):
                found, formats = flow.statement(reader), self._formats(reader)
                if formats.floats and isinstance(found.record, Shape):
                    operands = written_operands(found.record, found.text)
                    if any(
                        at < len(operands) and name_of(operands[at]) == name
                        for at, _ in formats.floats
                    ):
                        return True
        return False


def _is_element_size(others: Iterable[OperandSyntax]) -> bool:
    """Whether one of some operands is a number that may be the size of an element."""
    return any(0 < (value_of(each) or 0) <= _MAX_ELEMENT for each in others)


def _is_limit(others: Iterable[OperandSyntax]) -> bool:
    """Whether one of some operands is an integer that limits others, but not to signs or NaNs."""
    values = [value_of(each) for each in others]
    return any(value is not None and 1 < abs(value) <= _MAX_LIMIT for value in values)


def _is_misread(made: NumberFormat, wanted: str) -> bool:
    """Whether a value surely is not a number in a format that programs use."""
    if made.kind is FormatKind.FLOAT:
        return made.format != wanted
    if made.kind is FormatKind.COUNT:
        return True
    return made.kind in (FormatKind.SHORT, FormatKind.CONSTANT) and wanted in _WIDE
