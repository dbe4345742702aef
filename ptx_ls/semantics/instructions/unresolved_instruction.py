"""Tests which types and symbols would fit in place of an undeclared name."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.instructions.operands import to_operand
from ptx_ls.semantics.symbols.symbols import Facts, SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.parser import parse
from ptx_ls.syntax.parsing.instruction_parts import of_instruction

if TYPE_CHECKING:
    from ptx_ls.isa import Context
    from ptx_ls.syntax.operands import OperandSyntax

_TYPES: Final = (".b32", ".b64", ".f32", ".f64", ".pred", ".b16", ".b128", ".b8")
"""Register types, the most likely first."""
_FLOATS: Final = (".f32", ".f64")
_MAX_KEPT_STATEMENTS: Final = 16
"""Number of statements whose operands are cached for trying several candidates in a row."""


class UnresolvedInstruction(NamedTuple):
    """An instruction with an undeclared name.

    Attributes:
        opcode: the opcode with its modifiers.
        text: the statement. Its operands are parsed on demand, because a file may have many
            mistakes.
        facts: the facts of its names.
        number: the index of the undeclared name.
        is_guarded: whether the first name is that of a guard predicate.
    """

    opcode: str
    text: str
    facts: tuple[Facts, ...]
    number: int
    is_guarded: bool = False

    @property
    def operands(self) -> tuple[OperandSyntax, ...]:
        """The operands of the statement as written."""
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
        """Returns the most likely type for a register of that name; "" if no register fits."""
        _, modifiers = isa.split_modifiers(self.opcode)
        floats = [modifier for modifier in modifiers if modifier in _FLOATS]
        for type_ in (*floats, *_TYPES):
            if self.takes(Facts(SymbolKind.REGISTER.value, type_, ".reg"), context):
                return type_
        return ""


@lru_cache(maxsize=_MAX_KEPT_STATEMENTS)
def _operands(text: str) -> tuple[OperandSyntax, ...]:
    return of_instruction(parse(text).tree)[0]
