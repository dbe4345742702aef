"""The operation of an instruction: its results as a function of its source operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values import abstract_value
from ptx_ls.values.abstract_value import AbstractValue, truncated

Run = Callable[..., AbstractValue]
"""Computes a result from what is known of the source operands."""


class Operation(NamedTuple):
    """The operation of an instruction.

    Attributes:
        widths: the number of bits that each source operand has.
        run: the first result, from the source operands.
        second: the second result, if it has one.
        is_signed: whether the result is extended with its sign in a wider register.
        can_extend: whether the destination may be wider than the result.
    """

    widths: tuple[int, ...]
    run: Run
    second: Run | None = None
    is_signed: bool = False
    can_extend: bool = False

    def result(self, sources: Sequence[AbstractValue], width: int) -> AbstractValue:
        """Returns the first result in a register of a width."""
        return self._placed(self.run, sources, width)

    def second_result(self, sources: Sequence[AbstractValue], width: int) -> AbstractValue:
        """Returns the second result."""
        return (
            abstract_value.unknown(width)
            if self.second is None
            else self._placed(self.second, sources, width)
        )

    def _placed(self, run: Run, sources: Sequence[AbstractValue], width: int) -> AbstractValue:
        if len(sources) != len(self.widths):
            return abstract_value.unknown(width)
        given = []
        for source, own in zip(sources, self.widths, strict=True):
            value = truncated(source, own)
            if value.low > value.high:
                return abstract_value.impossible(width)
            if value.width != own:
                return abstract_value.unknown(width)
            given.append(value)
        found = run(*given)
        if found.width == width:
            return found
        if found.width > width or not self.can_extend:
            return abstract_value.unknown(width)
        extended = abstract_value.sign_extended if self.is_signed else abstract_value.zero_extended
        return extended(found, width)
