"""Whether anything is known of the addresses in a function, so that one may be wrong."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.pointer_parameters import narrow_loads
from ptx_ls.semantics.declarations.stack_memory import ALLOCATING
from ptx_ls.semantics.instructions.memory_operands import memory_operands
from ptx_ls.semantics.symbols.symbols import SymbolKind

if TYPE_CHECKING:
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.syntax.record import Shape

ASKING: Final = ("isspacep",)
"""Opcodes that ask at run time which state space an address is in."""
MAX_NAMES: Final = 24
"""Maximum number of names in a module, above which its names are not examined."""
_SMALL: Final = 4
"""Size in bytes of the most usual elements, which are rarely misaligned."""
_TO_GLOBAL: Final = ".to.global"
NARROWING: Final = (".u32.u64", ".s32.s64", ".s32.u64", ".u32.s64")
"""The ends of conversions of 64 to 32 bits."""
_ZERO_EXTENDING: Final = (".u64.u32", ".s64.u32", ".wide.u32")
"""The ends of opcodes that extend a number of 32 bits with zeros."""
_WIDE_SPACES: Final = frozenset({"", ".global", ".param"})


def is_anything_known(seen: CheckInput, shapes: set[Shape]) -> bool:
    """Whether a function may know more of its addresses than that they are global or generic.

    Most kernels only access memory through pointers that they get from parameters.
    """
    text = seen.text
    spaces = {each.space for shape in shapes for each in memory_operands(shape)}
    if not spaces <= _WIDE_SPACES or text.shapes_of(("mapa", ALLOCATING, *ASKING)):
        return True
    if any(_TO_GLOBAL not in shape.opcode for shape in text.shapes_of(("cvta",))):
        return True
    if any(map(_may_decide_bits, text.shapes_of(("cvt", "and", "mov")))) or narrow_loads(seen):
        return True
    if not seen.is_generated and (_may_extend_negative(seen) or _has_large_access(shapes)):
        return True
    function = seen.facts.function
    parameters = function.parameters if function is not None else ()
    if any(".ptr" in each.text for each in parameters) or len(seen.module.names) > MAX_NAMES:
        return True
    places = chain.from_iterable(seen.module.names.values())
    declared = chain(seen.facts.declared, (each.symbol for each in places))
    return any(each.kind is SymbolKind.VARIABLE for each in declared)


def _has_large_access(shapes: set[Shape]) -> bool:
    """Whether an instruction accesses more at a time than most elements have."""
    return any(it.size > _SMALL for each in shapes for it in memory_operands(each))


def _may_extend_negative(seen: CheckInput) -> bool:
    """Whether a function extends numbers with zeros, and computes some that may be negative."""
    text = seen.text
    extending = text.shapes_of(("cvt", "mul", "mad"))
    if not any(each.opcode.endswith(_ZERO_EXTENDING) for each in extending):
        return False
    return text.has_opcodes(("sub", "neg", "not")) or any(
        "-" in each.text for each in text.shapes_of(("add", "mad"))
    )


def _may_decide_bits(shape: Shape) -> bool:
    """Whether an instruction truncates or aligns an address, or writes a constant one."""
    if shape.name == "cvt":
        return shape.opcode.endswith(NARROWING)
    if shape.name == "and":
        return shape.opcode.endswith("64")
    last = shape.operands[-1] if shape.operands else None
    return "{" in shape.text or (last is not None and last.identifier < 0)
