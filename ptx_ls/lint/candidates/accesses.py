"""Whether a kernel has accesses that may be slow for a warp, before a rule's module is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.constants.values import value_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.region_text import Found

_ACCESSING: Final = ("atom", "ld", "ldmatrix", "red", "st", "stmatrix")
_MAX_LINES: Final = 2_000
_MAX_LINES_OF_COMPILERS: Final = 300
"""Number of lines up to which a function is examined.

A compiler writes long functions, most of whose addresses are not worth the time.
"""
_FACTORS: Final = {"mul": (8, 32), "mad": (8, 32), "shl": (3, 5)}
"""The smallest constants by which these multiply an index, and the number of a byte."""
_SPREADING: Final = (*_FACTORS, "mul24", "mad24", "shf", "bfi")
"""Opcodes without which the addresses of lanes are as close together as their indexes."""


def may_have_bank_conflicts(seen: CheckInput) -> bool:
    """Whether a kernel has accesses to shared memory that are worth the time."""
    return _may_be_slow(seen, ".shared")


def may_be_uncoalesced(seen: CheckInput) -> bool:
    """Whether a kernel has accesses to global memory that are worth the time."""
    return _may_be_slow(seen, ".global")


def _may_be_slow(seen: CheckInput, space: str) -> bool:
    text, is_generated = seen.text, seen.is_generated
    if len(text.records) > (_MAX_LINES_OF_COMPILERS if is_generated else _MAX_LINES):
        return False
    if not any(space in each.opcode for each in text.shapes_of(_ACCESSING)):
        return False
    if not is_generated:
        return text.has_opcodes(_SPREADING)
    return any(map(_is_large, text.statements_of(text.with_opcodes(tuple(_FACTORS)))))


def _is_large(found: Found) -> bool:
    """Whether an instruction multiplies by a constant, so that elements of lanes may be far apart.

    The constant is large enough for 8 bank conflicts, or 8 times as many sectors, of 4 bytes each.
    """
    shape = found.record
    if not isinstance(shape, Shape) or shape.name not in _FACTORS:
        return False
    is_wide = ".wide" in shape.opcode or shape.opcode.endswith("64")
    least = _FACTORS[shape.name][is_wide]
    constants = (
        value_of(each.text)
        for each in written_operands(shape, found.text)
        if each.form in (OperandForm.INTEGER, OperandForm.EXPRESSION)
    )
    return any(each is not None and each >= least for each in constants)
