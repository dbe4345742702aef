"""Finds comparisons that cannot hold together, such as `i < 4` and `i > 8`."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from ptx_ls.values.abstract_value import constant, unknown
from ptx_ls.values.transfer.comparison import MIRRORED, satisfying

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.decoding import DecodedInstruction

    FormReader = Callable[[DecodedInstruction, OperandSyntax, int], AffineForm | None]

_ORDERS: Final = {"lt": {-1}, "le": {-1, 0}, "eq": {0}, "ne": {-1, 1}, "ge": {0, 1}, "gt": {1}}
"""For each operator, how the left side may compare with the right one."""
_EQUALITY: Final = ("eq", "ne")


def contradiction(
    comparisons: Sequence[HeldComparison], form: FormReader
) -> tuple[HeldComparison, HeldComparison] | None:
    """Returns the first two of some comparisons that exclude each other; None if there are none.

    `form`: returns the form of an operand that an instruction reads with a width.
    """
    for first, second in combinations(comparisons, 2):
        if first.width == second.width and _exclude(first, second, form):
            return first, second
    return None


def _exclude(first: HeldComparison, second: HeldComparison, form: FormReader) -> bool:
    """Whether two comparisons of the same values cannot both hold."""
    one, other = _sides(first, form), _sides(second, form)
    if one is None or other is None:
        return False
    is_near = first.instruction.block == second.instruction.block
    if not is_near and not all(term.is_stable for term, _ in one[0].terms + one[2].terms):
        return False
    if one[0] == other[2] and one[2] == other[0]:
        other = other[2], MIRRORED[other[1]], other[0]
    if one[0] != other[0]:
        return False
    if one[2] == other[2]:
        is_same_order = first.is_signed == second.is_signed or other[1] in _EQUALITY
        return (is_same_order or one[1] in _EQUALITY) and _ORDERS[one[1]].isdisjoint(
            _ORDERS[other[1]]
        )
    if one[2].terms or other[2].terms:
        return False
    value = unknown(first.width)
    for held, (_, operator, limit) in ((first, one), (second, other)):
        known = constant(first.width, limit.offset)
        value = satisfying(operator, value, known, is_signed=held.is_signed)
    return value.is_impossible


def _sides(held: HeldComparison, form: FormReader) -> tuple[AffineForm, str, AffineForm] | None:
    """Returns the sides of a comparison around its operator, a constant on the right."""
    left, right = (form(held.instruction, it, held.width) for it in (held.left, held.right))
    if left is None or right is None:
        return None
    if not left.terms:
        return right, MIRRORED[held.operator], left
    return left, held.operator, right
