"""Finds sums with a large constant, which round a floating-point number to an integer.

The sum of a number and 1.5 * 2**23 is an `.f32` whose low bits are those of the nearest integer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.format_trace import name_of
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.flow.formats.format_trace import FormatTrace
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.syntax.operands import OperandSyntax

_SUMS: Final = ("add", "sub", "fma", "mad")
_COPIES: Final = ("mov", "selp", "min", "max", "abs", "neg")
_MANTISSAS: Final = {".f32": 23, ".f64": 52}
_MAX_STEPS: Final = 32
"""Number of definitions to look at."""


class RoundedSums:
    """The sums of a function with large constants."""

    def __init__(self, flow: FunctionFlow, formats: FormatTrace) -> None:
        self._flow, self._formats = flow, formats
        self._known: dict[tuple[int, int], bool] = {}

    def may_reach(self, use: int, n_bits: int) -> bool:
        """Whether a use may read a sum whose low bits hold an integer or its fraction.

        `n_bits`: how many of the low bits matter.
        """
        writes = self._followed(use)
        return writes is None or any(self._is_rounded(each, n_bits) for each in writes)

    def _is_rounded(self, write: int, n_bits: int) -> bool:
        """Whether a use may write such a sum."""
        key = write, n_bits
        if key not in self._known:
            self._known[key] = self._find_rounded(write, n_bits)
        return self._known[key]

    def _find_rounded(self, write: int, n_bits: int) -> bool:
        record = record_of(self._flow, write)
        if not isinstance(record, Shape) or record.name not in _SUMS:
            return False
        mantissa = next((_MANTISSAS[it] for it in _MANTISSAS if it in record.opcode), 0)
        least = 2.0 ** (mantissa - n_bits)
        return mantissa > 0 and any(self._is_large(it, write, least) for it in self._sources(write))

    def _is_large(self, operand: OperandSyntax, write: int, least: float) -> bool:
        """Whether an operand of an instruction may be a constant of at least some size."""
        use = self._formats.use_of(write, name_of(operand))
        if use is None:
            return _is_large_literal(operand, least)
        writes = self._followed(use)
        return writes is None or any(
            _is_large_literal(source, least)
            for each in writes
            if self._is_copy(each)
            for source in self._sources(each)
        )

    def _followed(self, use: int) -> set[int] | None:
        """Returns the uses that may write a value, also before copies; None if there are many."""
        seen = set[int]()
        waiting = [*self._formats.definitions(use)]
        while waiting:
            write = waiting.pop()
            if write in seen:
                continue
            seen.add(write)
            if len(seen) + len(waiting) > _MAX_STEPS:
                return None
            for each in self._sources(write) if self._is_copy(write) else ():
                read = self._formats.use_of(write, name_of(each))
                waiting += self._formats.definitions(read) if read is not None else ()
        return seen

    def _is_copy(self, write: int) -> bool:
        record = record_of(self._flow, write)
        return isinstance(record, Shape) and record.name in _COPIES

    def _sources(self, write: int) -> Sequence[OperandSyntax]:
        record = record_of(self._flow, write)
        if not isinstance(record, Shape):
            return ()
        return written_operands(record, self._flow.statement(write).text)[1:]


def _is_large_literal(operand: OperandSyntax, least: float) -> bool:
    """Whether an operand is a number of at least some size; the bits of a float count as such."""
    value = number(operand.text)
    return value is not None and abs(value) >= least
