"""Statements as certify writes them: text for ptxas, operands for our check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from certify.oracle import FEW_REGISTERS, REGISTERS_PER_TYPE
from ptx_ls.isa import Operand, OperandKind


@dataclass(frozen=True, slots=True)
class Written:
    """An operand as text and as our check sees it."""

    text: str
    operand: Operand


@dataclass(frozen=True, slots=True)
class Statement:
    """One instruction."""

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[Written, ...]
    form: str = ""
    cause: str = ""
    """The change, for a mutation."""
    site: str = ""
    """Where it was changed: `modifier .sat`, `insert .sat` or `FORM operand 1`."""

    def __str__(self) -> str:
        operands = ", ".join(written.text for written in self.operands)
        return f"{self.opcode}{''.join(self.modifiers)} {operands}".strip() + ";"

    @property
    def values(self) -> tuple[Operand, ...]:
        """The operands for our check."""
        return tuple(written.operand for written in self.operands)


@dataclass
class Registers:
    """Hands out registers, a new one each time."""

    next_number: dict[str, int] = field(default_factory=dict)

    def take(self, name: str) -> Written:
        """A register declared with that type (no dot)."""
        number = self.next_number.get(name, 0) + 1
        last = FEW_REGISTERS if name in ("pred", "b128") else REGISTERS_PER_TYPE
        self.next_number[name] = number if number < last - 1 else 0
        kind = OperandKind.REGISTER
        return Written(f"{name}_{number}", Operand(kind, "." + name, text=f"{name}_{number}"))


def integer(value: int) -> Written:
    """An integer literal."""
    return Written(str(value), Operand(OperandKind.INTEGER, value=value, text=str(value)))


def real(text: str) -> Written:
    """A floating-point literal."""
    return Written(text, Operand(OperandKind.FLOAT, text=text))


def vector(parts: Sequence[Written]) -> Written:
    """A vector expression."""
    text = "{" + ", ".join(part.text for part in parts) + "}"
    elements = tuple(part.operand for part in parts)
    return Written(text, Operand(OperandKind.VECTOR, elements=elements, text=text))


def address(parts: Sequence[Written]) -> Written:
    """An address operand."""
    text = "[" + ", ".join(part.text for part in parts) + "]"
    elements = tuple(part.operand for part in parts)
    return Written(text, Operand(OperandKind.ADDRESS, elements=elements, text=text))


def symbol(name: str, space: str) -> Written:
    """A name."""
    return Written(name, Operand(OperandKind.NAME, space=space, text=name))


def shifted(base: Written, distance: int) -> Written:
    """A base of an address with an offset in bytes."""
    text = f"{base.text}+{distance}"
    return Written(text, base.operand._replace(offset=True, text=text))


def special(name: str) -> Written:
    """A special register of 64 bits when the name ends in 64, else of 32; `%tid` once had 16."""
    type_ = ".u64" if name.endswith("64") else ".u32"
    narrowest = ".u16" if name.startswith("%tid") else ""
    return Written(name, Operand(OperandKind.SPECIAL_REGISTER, type_, space=narrowest, text=name))
