"""Finds addresses too narrow for the module, and variables too narrow for a load or store.

Source: PTX ISA, "Addresses as Operands" and "PTX Module Directives: .address_size". ptxas parses
32-bit addresses of any kind, but in a module with 64-bit addresses it generates no code for global
and generic ones. It also reports a load or store of a type that is wider than the variable,
whatever offset is added to the name, but not for arrays and vectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa import OperandKind, Violation, ViolationKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa import Context, Operand

_ACCESSES: Final = frozenset({"ld", "ldu", "st", "atom", "red", "prefetch", "prefetchu"})
_TYPED: Final = frozenset({"ld", "st"})
_BY_ANOTHER: Final = ".async"
"""The modifier of stores that have two addresses in different state spaces."""
_CONVERSION: Final = "cvta"
_OTHERS: Final = (".shared", ".local", ".param", ".const")
"""State spaces whose addresses may have 32 bits in any module."""
_WIDE, _NARROW = 64, 32
_COMPILED: Final = (75, "")
"""The oldest architecture that ptxas 13 compiles for."""
_NOTE: Final = "an address has 64 bits in this module"


def narrow_addresses(
    opcode: str, modifiers: Sequence[str], operands: Sequence[Operand], context: Context
) -> Iterator[Violation]:
    """Yields 32-bit registers that an instruction uses as 64-bit addresses.

    Such an access is an error only for the targets for which ptxas generates code.
    """
    if context.address_size != _WIDE:
        return
    if opcode == _CONVERSION and ".u32" in modifiers:
        place = "modifier", modifiers.index(".u32")
        yield Violation(
            ViolationKind.ILLEGAL_MODIFIER, place, ".u32", (".u64",), note=_NOTE, lenient=True
        )
    if opcode not in _ACCESSES or any(each.startswith(_OTHERS) for each in modifiers):
        return
    types = isa.database().type_facts
    target = isa.parse_target(context.target[0]) if context.target else None
    is_compiled = target is not None and target >= _COMPILED
    for index, operand in enumerate(operands):
        if operand.kind is not OperandKind.ADDRESS or not operand.elements:
            continue
        base = operand.elements[0]
        is_register = base.kind is OperandKind.REGISTER
        if is_register and types.get(base.type, (0, ""))[0] == _NARROW:
            yield Violation(
                ViolationKind.NARROW_ADDRESS,
                ("operand", index),
                base.type,
                ("64-bit register",),
                note=_NOTE,
                lenient=not is_compiled,
            )


def wide_accesses(
    opcode: str, modifiers: Sequence[str], operands: Sequence[Operand]
) -> Iterator[Violation]:
    """Yields variables that are narrower than the type of a load or store that accesses them."""
    if opcode not in _TYPED:
        return
    for index, operand in enumerate(operands):
        if operand.kind is not OperandKind.ADDRESS or not operand.elements:
            continue
        base = operand.elements[0]
        is_single = not base.is_array and base.vector_size == 1
        if base.kind is not OperandKind.NAME or not base.space.startswith(".") or not is_single:
            continue
        accessed = wider_type(opcode, modifiers, base.type)
        if accessed:
            place = "operand", index, 0
            kind = ViolationKind.OUT_OF_BOUNDS
            yield Violation(kind, place, base.type, (accessed,), lenient=True)


def wider_type(opcode: str, modifiers: Sequence[str], type_name: str) -> str:
    """Returns the type of a load or store if it is wider than another one; else ""."""
    if opcode not in _TYPED or _BY_ANOTHER in modifiers:
        return ""
    types = isa.database().type_facts
    accessed = next((each for each in reversed(modifiers) if each in types), "")
    width = types.get(accessed, (0, ""))[0]
    return accessed if 0 < types.get(type_name, (0, ""))[0] < width else ""
