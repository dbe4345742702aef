"""Tries what would fit in place of an undeclared name."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls import isa
from ptx_ls.semantics.instructions.operands import to_operand
from ptx_ls.semantics.symbols.symbols import Facts, SymbolKind
from ptx_ls.syntax.operands import of_instruction
from ptx_ls.syntax.parser import parse

if TYPE_CHECKING:
    from ptx_ls.isa import Context
    from ptx_ls.syntax.operands import OperandSyntax

_TYPES: Final = (".b32", ".b64", ".f32", ".f64", ".pred", ".b16", ".b128", ".b8")
"""Types of registers, the likeliest first."""
_FLOATS: Final = (".f32", ".f64")
_MAX_KEPT_STATEMENTS: Final = 16
"""Statements whose operands are kept: one is asked about several names and types in a row."""


class UnresolvedInstruction(NamedTuple):
    """An instruction, of which one name is unknown.

    Attributes:
        opcode: with its modifiers.
        text: the statement. Its operands are read on demand: most attempts in a file with many
            mistakes are never looked at.
        facts: of its names.
        number: which of them is unknown.
        is_guarded: whether the first name is a guard.
    """

    opcode: str
    text: str
    facts: tuple[Facts, ...]
    number: int
    is_guarded: bool = False

    @property
    def operands(self) -> tuple[OperandSyntax, ...]:
        """Its operands as written."""
        return _operands(self.text)

    def takes(self, facts: Facts, context: Context) -> bool:
        """Whether the instruction is legal if the name has these facts."""
        if self.is_guarded and not self.number:
            return facts.type == ".pred"
        opcode, modifiers = isa.split_modifiers(self.opcode)
        instruction = isa.database().instruction(opcode)
        if instruction is None:
            return True
        known = (*self.facts[: self.number], facts, *self.facts[self.number + 1 :])
        given = [to_operand(operand, known, values=True) for operand in self.operands]
        return isa.is_legal(instruction, modifiers, given, context)

    def register_type(self, context: Context) -> str:
        """The best type for declaring a register in place of the name; "" if no register fits."""
        _, modifiers = isa.split_modifiers(self.opcode)
        floats = [modifier for modifier in modifiers if modifier in _FLOATS]
        for type_ in (*floats, *_TYPES):
            if self.takes(Facts(SymbolKind.REGISTER.value, type_, ".reg"), context):
                return type_
        return ""


@lru_cache(maxsize=_MAX_KEPT_STATEMENTS)
def _operands(text: str) -> tuple[OperandSyntax, ...]:
    return of_instruction(parse(text).tree)[0]
