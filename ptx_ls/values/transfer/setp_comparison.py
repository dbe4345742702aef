"""The comparison that a `setp` or `set` makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values import abstract_value
from ptx_ls.values.transfer import comparison
from ptx_ls.values.transfer.number_types import FLOAT_WIDTHS, INTEGER_TYPES

if TYPE_CHECKING:
    from ptx_ls.values.abstract_value import AbstractValue


class ComparisonTest(NamedTuple):
    """The comparison of a `setp` or `set`.

    `operator`: a comparison such as `lt`, "" for floats. `table`: the truth table that combines the
    result with the third operand, or None.
    """

    operator: str
    width: int
    is_signed: bool
    table: int | None

    def test(self, left: AbstractValue, right: AbstractValue) -> AbstractValue:
        """Returns the result of the comparison."""
        if not self.operator:
            return abstract_value.unknown(1)
        return comparison.compare(self.operator, left, right, is_signed=self.is_signed)


def comparison_of(modifiers: tuple[str, ...]) -> ComparisonTest | None:
    """Returns what a `setp` compares; None if it is not known here."""
    if not modifiers:
        return None
    type_ = INTEGER_TYPES.get(modifiers[-1])
    tables = [comparison.TABLES[each[1:]] for each in modifiers if each[1:] in comparison.TABLES]
    table = tables[0] if tables else None
    if type_ is None:
        width = FLOAT_WIDTHS.get(modifiers[-1])
        return None if width is None else ComparisonTest("", width, is_signed=False, table=table)
    operator = modifiers[0][1:]
    is_signed = type_.is_signed and operator not in comparison.UNSIGNED
    operator = comparison.UNSIGNED.get(operator, operator)
    if operator not in comparison.NEGATIONS or len(modifiers) != 2 + len(tables):
        return None
    return ComparisonTest(operator, type_.width, is_signed, table)
