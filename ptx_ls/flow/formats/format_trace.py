"""Follows the format of a value back to the instructions that make it."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.opcode_formats import COUNTING, ResultFormat, opcode_formats
from ptx_ls.flow.slices.sources import record_of, writes_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.syntax.operands import OperandSyntax

_MAX_DEFINITIONS: Final = 256
"""Number of definitions that one value may depend on; beyond that, it is unknown."""
_MAX_PRECISE_USES: Final = 1 << 12
"""Number of uses of registers in a function up to which definitions are found by its paths."""
_SMALL: Final = 1 << 23
"""The bits of an `.f32` with an exponent are not below this, except for negative ones."""
_QUIET: Final = 1 << 22
"""Negative integers not below this have the bits of quiet NaNs, which programs use as such."""
_MAX_LEFT: Final = 8
"""Maximum shift to the left of a count; larger ones build the bits of a float."""
_MIN_RIGHT: Final = 9
"""Minimum shift to the right after which 32 bits have no exponent of a float."""
_HALF: Final = 32
"""Number of bits of the upper half of 64, which may be an `.f32`."""


class FormatKind(Enum):
    """The kind of a value, as far as it is certain."""

    UNKNOWN = auto()
    ZERO = auto()
    """The number 0, whose bits are the same in all formats."""
    CONSTANT = auto()
    """A small integer that is written in the program."""
    SHORT = auto()
    """Few bits, of anything."""
    COUNT = auto()
    """An integer that is computed as such."""
    FLOAT = auto()
    """A floating-point number."""


class NumberFormat(NamedTuple):
    """The kind of a value, as far as it is certain; `format` is that of a float."""

    kind: FormatKind
    format: str = ""


UNKNOWN: Final = NumberFormat(FormatKind.UNKNOWN)
_ZERO: Final = NumberFormat(FormatKind.ZERO)
_CONSTANT: Final = NumberFormat(FormatKind.CONSTANT)
_COUNT: Final = NumberFormat(FormatKind.COUNT)
_SHORT: Final = NumberFormat(FormatKind.SHORT)
_FIXED: Final = {
    ResultFormat.UNKNOWN: UNKNOWN,
    ResultFormat.COUNT: _COUNT,
    ResultFormat.SHORT: _SHORT,
}
_FLOATS: Final = {OperandForm.FLOAT32: ".f32", OperandForm.FLOAT64: ".f64"}
_WHOLE: Final = (FormatKind.ZERO, FormatKind.CONSTANT, FormatKind.SHORT, FormatKind.COUNT)


class _Definition(NamedTuple):
    """A step back: formats that are known, the values to follow, and whether integers are needed.

    Values are given as by `FormatTrace.value`.
    """

    known: tuple[NumberFormat, ...] = ()
    values: tuple[int, ...] = ()
    is_sum: bool = False
    is_whole: bool = False


class FormatTrace:
    """The formats of the values in the registers of a function, each found on demand."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._is_precise = len(flow.uses.codes) <= _MAX_PRECISE_USES
        self._writes: dict[int, Sequence[int]] = {}
        self._steps: dict[int, _Definition] = {}
        self._made: dict[_Definition, NumberFormat] = {}
        self._read: dict[int, NumberFormat] = {}

    def read(self, use: int) -> NumberFormat:
        """Returns the format of the value that a use reads."""
        value = self.value(use)
        found = self._read.get(value)
        if found is None:
            steps = map(self._step, self._definitions(value))
            found = self._read[value] = joined(self._made_by(each) for each in steps)
        return found

    def value(self, use: int) -> int:
        """Returns a number for the value that a use reads: two with the same one agree.

        In a large function, all reads of a register count as one value.
        """
        return use if self._is_precise else self._flow.uses.codes[use]

    def definitions(self, use: int) -> Sequence[int]:
        """Returns the writes that a value may come from; empty if there may be others.

        In a large function, these are all writes of the register.
        """
        return self._definitions(self.value(use))

    def _definitions(self, value: int) -> Sequence[int]:
        flow = self._flow
        if self._is_precise:
            found = flow.definitions(value)
            return () if found.from_entry else found.writes
        writes = self._writes.get(value)
        if writes is None:
            is_given = value in flow.registers.parameters
            writes = self._writes[value] = () if is_given else (*writes_of(flow, value),)
        return writes

    def _made_by(self, step: _Definition) -> NumberFormat:
        """Returns the format of the values that are made in some way."""
        known = self._made.get(step)
        if known is None:
            known = self._made[step] = self._followed(step)
        return known

    def _followed(self, step: _Definition) -> NumberFormat:
        """Follows copies and sums back, also around loops."""
        values, seen = set[int](), set[int]()
        waiting, leaves = [step], list[NumberFormat]()
        is_sum = is_whole = False
        while waiting:
            step = waiting.pop()
            leaves += step.known
            is_sum |= step.is_sum
            is_whole |= step.is_whole
            if UNKNOWN in step.known:
                return UNKNOWN
            for value in step.values:
                if value in values:
                    continue
                values.add(value)
                writes = self._definitions(value)
                if not writes or self._read.get(value) is UNKNOWN:
                    return UNKNOWN
                waiting += [self._step(each) for each in writes if each not in seen]
                seen.update(writes)
                if len(seen) > _MAX_DEFINITIONS:
                    return UNKNOWN
        result = joined(leaves)
        if result.kind is FormatKind.FLOAT and (is_sum or is_whole):
            return UNKNOWN
        if result.kind is FormatKind.CONSTANT and is_sum:
            return _COUNT
        return result

    def _step(self, use: int) -> _Definition:
        step = self._steps.get(use)
        if step is None:
            step = self._steps[use] = self._stepped(use)
        return step

    def _stepped(self, use: int) -> _Definition:
        record = record_of(self._flow, use)
        if not isinstance(record, Shape):
            return _Definition((UNKNOWN,))
        formats = opcode_formats(record.opcode)
        result = formats.result
        known = _FIXED.get(result)
        if known is not None:
            return _Definition((known,))
        if result is ResultFormat.FLOAT:
            return _Definition((NumberFormat(FormatKind.FLOAT, formats.format),))
        if not record.operands or record.operands[0].form is not OperandForm.IDENTIFIER:
            return _Definition((UNKNOWN,))
        operands = written_operands(record, self._flow.statement(use).text)
        sources = [operands[each] for each in formats.sources if each < len(operands)]
        if result is ResultFormat.MASK:
            return self._masked(use, sources)
        if result in (ResultFormat.LEFT, ResultFormat.RIGHT):
            return self._shifted(use, record.opcode, result, sources)
        step = self._of(use, sources)
        if result is ResultFormat.WIDENED:
            return _Definition((_SHORT,)) if step.values else step
        return step._replace(
            is_sum=result is ResultFormat.SUM, is_whole=result is ResultFormat.WHOLE_COPY
        )

    def _masked(self, use: int, sources: Sequence[OperandSyntax]) -> _Definition:
        for each in sources:
            value = value_of(each)
            if value is not None and 0 <= value < _SMALL:
                return _Definition((_SHORT,))
        return self._of(use, sources)._replace(is_sum=True)

    def _shifted(
        self, use: int, opcode: str, result: ResultFormat, sources: Sequence[OperandSyntax]
    ) -> _Definition:
        amount = value_of(sources[1]) if len(sources) > 1 else None
        if amount is None:
            return _Definition((UNKNOWN,))
        half = _HALF if opcode.endswith("64") else 0
        if result is ResultFormat.RIGHT and amount >= half + _MIN_RIGHT:
            return _Definition((_SHORT,))
        if result is ResultFormat.LEFT and amount > _MAX_LEFT:
            return _Definition((UNKNOWN,))
        return self._of(use, sources[:1])._replace(is_sum=True)

    def _of(self, use: int, sources: Iterable[OperandSyntax]) -> _Definition:
        """Returns the step to some operands."""
        known, values = list[NumberFormat](), list[int]()
        for operand in sources:
            name = name_of(operand)
            read = self.use_of(use, name) if name else None
            if read is not None:
                values.append(self.value(read))
            else:
                known.append(_literal(operand))
        return _Definition(tuple(known), tuple(values))

    def use_of(self, use: int, name: str) -> int | None:
        """Returns the use that reads a register in the instruction of another use."""
        flow = self._flow
        for each in flow.index.statement(use):
            if flow.uses.ways[each] & READS and flow.name_of(each) == name:
                return each
        return None


def name_of(operand: OperandSyntax) -> str:
    """Returns the name that is the whole operand, apart from the second result of `p|q`, or ""."""
    is_name = operand.form is OperandForm.IDENTIFIER and not operand.negation
    return "" if not is_name or operand.elements else operand.text.partition("|")[0].strip()


def value_of(operand: OperandSyntax) -> int | None:
    """Returns the integer that is the whole operand, or None."""
    value = number(operand.text) if operand.form is OperandForm.INTEGER else None
    return value if isinstance(value, int) else None


def _literal(operand: OperandSyntax) -> NumberFormat:
    """Returns the format of an operand that is not a register."""
    if operand.form in _FLOATS:
        return (
            NumberFormat(FormatKind.FLOAT, _FLOATS[operand.form]) if number(operand.text) else _ZERO
        )
    value = value_of(operand)
    if value is None:
        name = name_of(operand).partition(".")[0]
        return _COUNT if name in COUNTING else UNKNOWN
    if value == 0:
        return _ZERO
    return _CONSTANT if -_QUIET < value < _SMALL else UNKNOWN


def joined(formats: Iterable[NumberFormat]) -> NumberFormat:
    """Returns what a value is that has one of some formats."""
    return _join(iter(formats))


def _join(formats: Iterator[NumberFormat]) -> NumberFormat:
    result: NumberFormat | None = None
    for each in formats:
        result = each if result is None else _joined(result, each)
        if result is UNKNOWN:
            return result
    return result or UNKNOWN


def _joined(one: NumberFormat, other: NumberFormat) -> NumberFormat:
    if one.kind is FormatKind.ZERO or one == other:
        return other
    if other.kind is FormatKind.ZERO:
        return one
    if one.kind not in _WHOLE or other.kind not in _WHOLE:
        return UNKNOWN
    if FormatKind.SHORT in (one.kind, other.kind):
        return _SHORT
    return _COUNT
