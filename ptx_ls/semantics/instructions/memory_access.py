"""Whether an instruction reads or writes the memory at one of its addresses.

Source: the effects of forms in the ISA database.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.isa.choices import accepting_forms
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.parsing.instruction_parts import opcode_parts

if TYPE_CHECKING:
    from ptx_ls.syntax.offsets import StatementPosition
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.statement import Statement


class MemoryAccess(NamedTuple):
    """Whether the memory at an address is read, and whether it is written."""

    is_read: bool
    is_write: bool


def memory_access(statement: Statement, place: StatementPosition) -> MemoryAccess | None:
    """Returns how an instruction accesses memory at the address operand that contains a place.

    Returns None if the place is not in an address. If the instruction writes memory, the first of
    several addresses counts as the destination; all others, such as barriers, count as read.
    """
    operands, _ = statement.parts()
    addresses = [it for it in operands if it.form is OperandForm.ADDRESS]
    number = next((n for n, it in enumerate(addresses) if _holds(it, place)), None)
    if number is None:
        return None
    parts = opcode_parts(statement.parsed.tree)
    words = _effects("".join(text for text, _, _ in parts))
    reads, writes = "reads memory" in words, "writes memory" in words
    if len(addresses) == 1:
        return MemoryAccess(reads, writes)
    return MemoryAccess(bool(number) or not writes, writes and not number)


def _holds(operand: OperandSyntax, place: StatementPosition) -> bool:
    return operand.start <= place < operand.end


@lru_cache(maxsize=1 << 12)
def _effects(opcode: str) -> frozenset[str]:
    """Returns the effects of the forms that take these modifiers."""
    name, modifiers = isa.split_modifiers(opcode)
    instruction = isa.database().instruction(name)
    if instruction is None:
        return frozenset()
    found = [form for form, _ in accepting_forms(instruction, modifiers)] or instruction.forms
    return frozenset(word for form in found for word in instruction.effects(form))
