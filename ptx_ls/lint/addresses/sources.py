"""Finds where a function gets addresses of which more is known than that they are global."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.pointer_parameters import narrow_loads
from ptx_ls.lint.addresses.spaces import INNER_SPACES
from ptx_ls.semantics.declarations.stack_memory import ALLOCATING
from ptx_ls.semantics.declarations.storage import pointed_alignment, pointed_space
from ptx_ls.semantics.instructions.memory_operands import ACCESSING, memory_operands

if TYPE_CHECKING:
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.record import Shape

NAMING: Final = ("mov", "cvta", "mapa")
"""Opcodes that write the address of a variable to a register."""
_GLOBAL: Final = ".global"
_SMALL: Final = (".shared", ".local", ".const")
_NARROWING: Final = (".u32.u64", ".s32.s64", ".s32.u64", ".u32.s64")
"""The ends of conversions of 64 to 32 bits."""
_REGISTER_ADDRESS: Final = "[%"
"""A text in the shapes of accesses through registers with a usual name."""


def has_sources(seen: CheckInput) -> bool:
    """Whether a function may write or read an address of which more is known than of others."""
    known = naming_shapes(seen) or stated_pointers(seen) or small_accesses(seen)
    return bool(known or narrow_loads(seen))


def small_accesses(seen: CheckInput) -> set[Shape]:
    """Returns the shapes of accesses to shared, local or constant memory through registers."""
    shapes = seen.text.shapes_of(ACCESSING)
    return {it for it in shapes if _REGISTER_ADDRESS in it.text and _accesses_small(it)}


def _accesses_small(shape: Shape) -> bool:
    return any(each.space.startswith(_SMALL) for each in memory_operands(shape))


def naming_shapes(seen: CheckInput) -> set[Shape]:
    """Returns the shapes of the instructions other than loads that write such addresses."""
    named = {it for it in seen.text.shapes_of(NAMING) if it.operands and is_name(it.operands[-1])}
    named |= seen.text.shapes_of((ALLOCATING,))
    return named | {it for it in seen.text.shapes_of(("cvta", "mapa", "cvt")) if _converts(it)}


def _converts(shape: Shape) -> bool:
    """Whether an instruction writes an address in a small state space, or half of an address."""
    if shape.name == "cvt":
        return shape.opcode.endswith(_NARROWING)
    return _GLOBAL not in shape.opcode


def stated_pointers(seen: CheckInput) -> dict[str, Symbol]:
    """Returns the pointer parameters with a stated alignment or a small state space."""
    function = seen.facts.function
    return {
        each.name: each
        for each in (function.parameters if function is not None else ())
        if ".ptr" in each.text
        and (pointed_alignment(each) > 1 or pointed_space(each) not in ("", _GLOBAL))
    }


def accesses_inner(seen: CheckInput) -> bool:
    """Whether a function accesses shared or local memory."""
    shapes = seen.text.shapes_of(ACCESSING)
    return any(it.space.startswith(INNER_SPACES) for each in shapes for it in memory_operands(each))


def is_name(operand: OperandSyntax) -> bool:
    """Whether an operand of a shape is a name, but not that of a usual register."""
    return operand.identifier >= 0 and not operand.text.startswith("%")
