"""Finds the instructions that write the value of a register as it is: `mov`, or `add` of 0.

Arithmetic of floats is left out, because it may flush subnormal numbers or change the sign of 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.literals import integer, number
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.names import identifiers_of, numbers_in, plain_names
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.syntax.operands import Identifier, OperandSyntax
    from ptx_ls.syntax.record import Record


class Identity(NamedTuple):
    """An instruction that writes to the name `target` what the name `source` means.

    `source` may be that of a register, a special register or a variable. `reason`: the operand or
    the types that make the instruction an identity; "" for a plain `mov`.
    """

    target: str
    source: str
    reason: str


_FLOATS: Final = ("f", "bf", "e", "tf")
_SUMS: Final = frozenset({"add", "sub", "or", "xor", "shl", "shr"})
_COMMUTATIVE: Final = frozenset({"add", "or", "xor", "mul", "and"})
_PRODUCTS: Final = frozenset({"mul", "div"})
_SAME: Final = frozenset({"and", "or", "min", "max"})
"""Opcodes whose result is the operand if both are the same."""
_CHANGING: Final = frozenset({".sat", ".cc", ".wide", ".hi", ".ftz", ".relu", ".NaN", ".xorsign"})
"""Modifiers with which an instruction does more."""
_TABLES: Final[Mapping[str, Mapping[int | None, int]]] = {
    "prmt": {0x3210: 0, 0x7654: 1},
    "lop3": {0xF0: 0, 0xCC: 1, 0xAA: 2},
}
"""For each opcode, the operands that constants of its last operand select."""
_NEUTRAL: Final[Mapping[str, frozenset[int | None]]] = {
    **dict.fromkeys(_SUMS, frozenset[int | None]({0})),
    **dict.fromkeys(_PRODUCTS, frozenset[int | None]({1})),
    **{opcode: frozenset(table) for opcode, table in _TABLES.items()},
    "and": frozenset({1, *((1 << width) - 1 for width in (8, 16, 32, 64))}),
}
"""Numbers, written without a sign, with which an operation may keep another operand."""
OPCODES: Final = _SUMS | _PRODUCTS | _SAME | _TABLES.keys() | {"mov", "selp", "slct", "cvt"}


def identity(record: Record, text: str) -> Identity | None:
    """Returns what an instruction copies unchanged; None if it may compute something else."""
    if not isinstance(record, Shape) or record.name not in OPCODES or record.problems:
        return None
    modifiers = modifiers_of(record.opcode)
    if not _CHANGING.isdisjoint(modifiers) or not _is_candidate(record, modifiers, text):
        return None
    read = _CopyOperands(written_operands(record, text), identifiers_of(record, text))
    if not read.is_plain:
        return None
    chosen = _chosen(record.name, modifiers, read)
    if chosen is None:
        return None
    source, reason = chosen
    target, name = read.name(0), read.name(source)
    return None if target is None or name is None else Identity(target, name, reason)


def may_repeat_name(shape: Shape, text: str) -> bool:
    """Whether an instruction may name a register twice; this is fast."""
    names = plain_names(shape, text)
    return names is None or len({*names}) < len(names)


def _is_candidate(shape: Shape, modifiers: Sequence[str], text: str) -> bool:
    """Whether the names and numbers of an instruction allow it to copy; this is fast."""
    if shape.name == "mov":
        return len(shape.operands) == 2 and shape.operands[1].form is OperandForm.IDENTIFIER  # noqa: PLR2004
    if shape.name == "cvt":
        return len(modifiers) > 1 and modifiers[-1] == modifiers[-2]
    if may_repeat_name(shape, text):
        return True
    neutral = _NEUTRAL.get(shape.name, ())
    return any(integer(each) in neutral for each in numbers_in(text))


class _CopyOperands:
    """The operands of an instruction."""

    def __init__(self, written: Sequence[OperandSyntax], identifiers: Sequence[Identifier]) -> None:
        self._written, self._identifiers = written, identifiers

    @property
    def is_plain(self) -> bool:
        """Whether it has a destination and a source, and each operand is a name or a number."""
        return len(self._written) > 1 and all(
            not each.elements and each.paired is None for each in self._written
        )

    @property
    def n_operands(self) -> int:
        """The number of operands."""
        return len(self._written)

    def name(self, place: int) -> str | None:
        """Returns the name that an operand consists of; None for anything else."""
        each = self._written[place]
        if each.form is not OperandForm.IDENTIFIER or each.negation or each.has_offset:
            return None
        found = self._identifiers[each.identifier]
        return found.name if found.full == found.name else None

    def value(self, place: int) -> int | None:
        """Returns the value of an operand that is an integer."""
        each = self._written[place]
        found = number(each.text) if each.form is OperandForm.INTEGER else None
        return found if isinstance(found, int) else None

    def text(self, place: int) -> str:
        """Returns an operand as it is written."""
        return self._written[place].text


def _chosen(opcode: str, modifiers: Sequence[str], read: _CopyOperands) -> tuple[int, str] | None:
    """Returns the number of the operand that is copied, and the reason; None if there is none."""
    match opcode, read.n_operands:
        case "mov", 2:
            return (1, "") if len(modifiers) == 1 else None
        case "cvt", 2:
            return _of_conversion(modifiers)
        case (("selp" | "slct"), 4):
            return (1, f"both choices are `{read.text(1)}`") if _are_same(read, 1, 2) else None
        case (("prmt" | "lop3"), 5):
            place = _TABLES[opcode].get(read.value(4))
            return None if place is None else (place + 1, f"`{read.text(4)}` selects it")
        case "prmt", 4:
            place = _TABLES[opcode].get(read.value(3)) if len(modifiers) == 1 else None
            return None if place is None else (place + 1, f"`{read.text(3)}` selects it")
        case _, 3:
            return _of_arithmetic(opcode, modifiers, read)
    return None


def _are_same(read: _CopyOperands, one: int, other: int) -> bool:
    name = read.name(one)
    return name is not None and name == read.name(other)


def _of_conversion(modifiers: Sequence[str]) -> tuple[int, str] | None:
    """Returns the choice for a conversion between equal types without rounding."""
    if len(modifiers) == len({*modifiers}) + 1 == 2:  # noqa: PLR2004  two equal modifiers
        return 1, f"both types are `{modifiers[0]}`"
    return None


def _of_arithmetic(
    opcode: str, modifiers: Sequence[str], read: _CopyOperands
) -> tuple[int, str] | None:
    kind = isa.written_type(tuple(modifiers)).lstrip(".").rstrip("0123456789x")
    if kind in _FLOATS:
        return None
    if opcode in _SAME and _are_same(read, 1, 2):
        return 1, f"both operands are `{read.text(1)}`"
    for source, other in ((1, 2), (2, 1)):
        is_possible = source == 1 or opcode in _COMMUTATIVE
        if is_possible and _is_neutral(opcode, modifiers, read.value(other)):
            return source, f"the other operand is `{read.text(other)}`"
    return None


def _is_neutral(opcode: str, modifiers: Sequence[str], value: int | None) -> bool:
    """Whether an operation with a value keeps its other operand."""
    if value is None:
        return False
    if opcode in _PRODUCTS:
        return value == 1 and (opcode == "div" or ".lo" in modifiers)
    if opcode == "and":
        width = modifiers[-1].lstrip(".b")
        return width.isdecimal() and (value + 1) % (1 << int(width)) == 0
    return value == 0 and opcode in _SUMS
