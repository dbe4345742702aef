"""Finds sums with a large constant, which round a floating-point number to an integer.

The sum of a number and 1.5 * 2**23 is an `.f32` whose low bits are those of the nearest integer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.format_trace import name_of
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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

    def may_reach(self, use: int, n_bits: int) -> bool:
        """Whether a use may read a sum whose low bits hold an integer or its fraction.

        `n_bits`: how many of the low bits matter.
        """
        for record, sources, write in self._followed(use, (*_SUMS, *_COPIES)):
            mantissa = next((_MANTISSAS[it] for it in _MANTISSAS if it in record.opcode), 0)
            if record.name in _SUMS and mantissa:
                least = 2.0 ** (mantissa - n_bits)
                if any(self._is_large(each, write, least) for each in sources):
                    return True
        return False

    def _is_large(self, operand: OperandSyntax, write: int, least: float) -> bool:
        """Whether an operand of an instruction may be a constant of at least some size."""
        if operand.form is not OperandForm.IDENTIFIER:
            return _is_large_literal(operand, least)
        use = self._formats.use_of(write, name_of(operand))
        return use is not None and any(
            _is_large_literal(each, least)
            for _, sources, _ in self._followed(use, _COPIES)
            for each in sources
        )

    def _followed(
        self, use: int, opcodes: Sequence[str]
    ) -> Iterator[tuple[Shape, Sequence[OperandSyntax], int]]:
        """Yields the instructions that a value may come from, if they have one of some opcodes.

        Yields the operands that each reads, and the use that it writes, too. Copies are followed.
        """
        flow, seen = self._flow, set[int]()
        waiting = [*self._formats.definitions(use)]
        while waiting and len(seen) < _MAX_STEPS:
            write = waiting.pop()
            record = record_of(flow, write)
            if write in seen or not isinstance(record, Shape) or record.name not in opcodes:
                continue
            seen.add(write)
            sources = written_operands(record, flow.statement(write).text)[1:]
            yield record, sources, write
            for each in sources if record.name in _COPIES else ():
                read = self._formats.use_of(write, name_of(each))
                waiting += self._formats.definitions(read) if read is not None else ()


def _is_large_literal(operand: OperandSyntax, least: float) -> bool:
    """Whether an operand is a number of at least some size; the bits of a float count as such."""
    value = number(operand.text)
    return value is not None and abs(value) >= least
