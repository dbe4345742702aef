"""Finds two operands that are in each other's place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from ptx_ls.isa.checking.check import Written, complete_forms, is_legal
from ptx_ls.isa.checking.flatten import incomplete_address
from ptx_ls.isa.checking.match import Placement
from ptx_ls.isa.diagnosis.operand_needs import Operands
from ptx_ls.isa.model import Form
from ptx_ls.isa.operand import Operand, OperandKind

_MAX_EXCHANGES: Final = 3
"""Maximum number of pairs of operands to try in each other's place."""


def swapped_operands(
    written: Written, places: Sequence[int], skipped: frozenset[int]
) -> tuple[int, int] | None:
    """Returns the first two operands at `places` whose exchange makes the instruction legal.

    `skipped` are the indices of modifiers that are repeated harmlessly.
    """
    instruction, modifiers, operands, context = written
    takers = complete_forms(instruction, modifiers, skipped)
    for first, second in list(combinations(places, 2))[:_MAX_EXCHANGES]:
        changed = list(operands)
        changed[first], changed[second] = changed[second], changed[first]
        if may_be_legal(takers, changed) and is_legal(instruction, modifiers, changed, context):
            return first, second
    return None


def may_be_legal(takers: Sequence[tuple[Form, Placement]], operands: Sequence[Operand]) -> bool:
    """Whether a form that takes the modifiers may take some operands: a quick test."""
    if not takers or any(map(_has_unknown, operands)):
        return True
    if incomplete_address(takers[0][0].row, operands) is not None:
        return True
    given = Operands(operands)
    return any(given.fit(form, placement.values) for form, placement in takers)


def _has_unknown(operand: Operand) -> bool:
    parts = operand.elements if operand.paired is None else (*operand.elements, operand.paired)
    return operand.kind is OperandKind.UNKNOWN or any(map(_has_unknown, parts))
