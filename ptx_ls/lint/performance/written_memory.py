"""Finds out through which pointers a kernel writes memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.lint.performance.computation import Computation
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.values.affine import AffineTerm
    from ptx_ls.values.decoding import DecodedInstruction

_WRITES: Final = "writes memory"
_APART: Final = (".shared", ".local", ".param", ".const")
_KNOWN: Final = (TermKind.PARAMETER, TermKind.SYMBOL)


def written_pointers(
    text: RegionText, computation: Computation
) -> Mapping[AffineTerm, frozenset[int]] | None:
    """Returns the parameters and variables that a function writes through, except in shared memory.

    For each, the blocks of the flow graph that do. None if it may write through others.
    """
    shapes = {
        each
        for each in text.shapes
        if _may_write(each.name)
        and not any(modifier.startswith(_APART) for modifier in modifiers_of(each.opcode))
    }
    found: dict[AffineTerm, frozenset[int]] = {}
    for instruction in computation.instructions(shapes):
        base = pointer_of(computation, instruction)
        if base is None:
            return None
        found[base] = found.get(base, frozenset()) | {instruction.block}
    return found


def _may_write(opcode: str) -> bool:
    """Whether instructions with an opcode may write memory; of an unknown one, it is assumed."""
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return True
    return any(_WRITES in instruction.effects(form) for form in instruction.forms)


def pointer_of(computation: Computation, instruction: DecodedInstruction) -> AffineTerm | None:
    """Returns the parameter or variable that the first address of an instruction begins with."""
    for number, operand in enumerate(instruction.operands):
        if operand.form is OperandForm.ADDRESS:
            form = computation.values.address(instruction.found, number).affine
            base = form.base if form is not None else None
            return base if base is not None and base.kind in _KNOWN else None
    return None
