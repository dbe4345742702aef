"""Finds sums that may leave few bits of a float, which are an index: `bits - bits % n`.

Programs also subtract the bits of another float, or a bias that a parameter or a constant holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.format_trace import name_of
from ptx_ls.flow.formats.opcode_formats import ResultFormat, opcode_formats
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.flow.formats.format_trace import FormatTrace
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.syntax.operands import OperandSyntax

LEAST_BIAS: Final = 1 << 23
"""The bits of an `.f32` with an exponent are not below this."""
_LINEAR: Final = (
    *("mov", "cvt", "cvta", "selp", "slct", "shfl"),
    *("add", "sub", "mul", "mad", "neg", "abs", "min", "max", "shl"),
)
_LOADS: Final = ("ld", "ldu", "atom")
_COMPARISONS: Final = ("setp", "set")
_POINTERS: Final = (".b64", ".u64", ".s64")
_MAX_STEPS: Final = 64
"""Number of definitions to look at for one question; beyond that, a bias is assumed."""
_FLOAT_LITERALS: Final = (OperandForm.FLOAT32, OperandForm.FLOAT64)


class _Summand(NamedTuple):
    """A source of an instruction on the way back from a sum.

    Attributes:
        use: a use in the instruction.
        operand: the source.
        is_linear: whether a sum contains a constant multiple of the source.
        is_subtracted: whether it may be subtracted, so that it is not the base of an address.
    """

    use: int
    operand: OperandSyntax
    is_linear: bool = True
    is_subtracted: bool = False


class Biases:
    """The values of a function that may cancel the exponent of the bits of a float in a sum."""

    def __init__(self, flow: FunctionFlow, formats: FormatTrace) -> None:
        self._flow, self._formats = flow, formats
        self._known: dict[tuple[int, bool, bool], bool] = {}

    def may_be_added(self, use: int) -> bool:
        """Whether an instruction may add a bias to what a use reads, or subtract one.

        This also holds for the subtraction of the value from a bias.
        """
        record, name = record_of(self._flow, use), self._flow.name_of(use)
        if not isinstance(record, Shape) or record.name not in ("add", "sub", "mad"):
            return False
        parts = [*self._parts(use, record)]
        if record.name == "mad":  # only factors, or only the addend
            is_addend = name_of(parts[-1].operand) == name
            parts = parts[:-1] if is_addend else parts[-1:]
        is_difference = record.name == "sub"
        return any(
            self._may_be_bias(each._replace(is_subtracted=is_difference))
            for each in parts
            if name_of(each.operand) != name
        )

    def _may_be_bias(self, part: _Summand) -> bool:
        """Whether a source of a sum may be a bias."""
        read = self._read(part)
        if read is None:
            return _is_bias(part)
        key = self._formats.value(read), part.is_linear, part.is_subtracted
        if key not in self._known:
            self._known[key] = self._is_made_of_bias([part])
        return self._known[key]

    def _is_made_of_bias(self, waiting: list[_Summand]) -> bool:
        """Follows sources of a sum back."""
        seen, n_writes = set[tuple[int, bool, bool]](), 0
        while waiting:
            part = waiting.pop()
            read = self._read(part)
            if read is None:
                if _is_bias(part):
                    return True
                continue
            key = self._formats.value(read), part.is_linear, part.is_subtracted
            if key in seen:
                continue
            seen.add(key)
            writes = self._formats.definitions(read)
            n_writes += len(writes)
            if not writes or n_writes > _MAX_STEPS:
                return True
            for write in writes:
                found = self._followed(write, part)
                if found is None:
                    return True
                waiting += found
        return False

    def _read(self, part: _Summand) -> int | None:
        """Returns the use that reads a source; None if it is not a register."""
        name = name_of(part.operand)
        return self._formats.use_of(part.use, name) if name else None

    def _followed(self, write: int, part: _Summand) -> Sequence[_Summand] | None:
        """Returns the sources of a value that a part reads; None if it may be a bias."""
        record = record_of(self._flow, write)
        if not isinstance(record, Shape):
            return None
        result = opcode_formats(record.opcode).result
        if result is ResultFormat.FLOAT:
            return None
        if result in (ResultFormat.COUNT, ResultFormat.SHORT) or record.name in _COMPARISONS:
            return ()
        if record.name in _LOADS:
            is_base = not part.is_subtracted and modifiers_of(record.opcode)[-1] in _POINTERS
            return () if is_base or not part.is_linear else None
        return [
            each._replace(
                is_linear=each.is_linear and part.is_linear,
                is_subtracted=each.is_subtracted or part.is_subtracted,
            )
            for each in self._parts(write, record)
        ]

    def _parts(self, use: int, record: Shape) -> Iterator[_Summand]:
        """Yields the sources of an instruction."""
        operands = written_operands(record, self._flow.statement(use).text)
        sources = opcode_formats(record.opcode).sources or range(1, len(operands))
        is_product = record.name in ("mul", "mad") and not any(map(_is_number, operands[1:3]))
        for at in sources:
            if at < len(operands):
                is_factor = record.name in ("mul", "mad", "shl") and at < len(("d", "a", "b"))
                if is_factor and _is_number(operands[at]):
                    continue
                is_linear = record.name in _LINEAR and not (is_factor and is_product)
                is_subtrahend = record.name == "sub" and at > 1
                yield _Summand(use, operands[at], is_linear, is_subtrahend)


def _is_number(operand: OperandSyntax) -> bool:
    return number(operand.text) is not None


def _is_bias(part: _Summand) -> bool:
    """Whether an operand that is not a register may be a bias, or contain the bits of a float."""
    operand = part.operand
    value = number(operand.text)
    if value is None:
        return bool(operand.elements)
    is_large = part.is_linear and abs(value) >= LEAST_BIAS
    return is_large or (operand.form in _FLOAT_LITERALS and value != 0)
