"""The names that an instruction reads and writes.

Source: PTX ISA, "Instruction Operands" and "Predicated Execution".
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.roles import roles_by_position
from ptx_ls.semantics.instructions.operands import UNDECLARED, to_operand
from ptx_ls.semantics.instructions.shape_verdicts import shape_verdict
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax import parser
from ptx_ls.syntax.operands import GROUPS, OperandForm
from ptx_ls.syntax.parsing import instruction_parts
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.statement import MAX_ANALYSED
from ptx_ls.syntax.written.names import identifiers_of, names_of, plain_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa import Verdict
    from ptx_ls.semantics.analysis import JudgedInstruction
    from ptx_ls.syntax.offsets import StatementPosition
    from ptx_ls.syntax.operands import Identifier, OperandSyntax
    from ptx_ls.syntax.record import Record

_COMPONENTS: Final = frozenset(f".{letter}" for letter in "xyzwrgba")
_WRITES: Final = ("write", "readwrite")


class AccessKind(NamedTuple):
    """The use of a name in an instruction. `number` is the index of the identifier.

    `is_address`: the name is part of an address, so it is read, whatever happens to the memory.
    `is_partial`: only a component of a vector register is written.
    """

    number: int
    is_read: bool
    is_write: bool
    is_guard: bool = False
    is_address: bool = False
    is_partial: bool = False


class NameAccess(NamedTuple):
    """A name in an instruction and its use. `is_conditional`: the instruction has a guard."""

    name: str
    access: AccessKind
    is_conditional: bool


def accesses(instruction: JudgedInstruction) -> tuple[AccessKind, ...]:
    """Returns how a judged instruction uses each of its identifiers, in order."""
    is_guarded = _is_guarded(instruction.statement.text)
    return _accesses(
        instruction.operands, instruction.identifiers, instruction.verdict, is_guarded=is_guarded
    )


def accesses_in(record: Record, text: str) -> list[NameAccess]:
    """Returns how an instruction, given by its record and text, uses each of its names.

    Types are ignored, so each shape is judged once. Returns [] for statements of other kinds. A
    long instruction is assumed to read all its names, because parsing it takes too long.
    """
    if len(text) > MAX_ANALYSED:
        return _reads(record, text)
    if isinstance(record, Shape):
        names = names_of(record, text)
        found = accesses_of_shape(record)
        is_guarded = bool(record.guard)
    else:
        written, identifiers = instruction_parts.of_instruction(parser.parse(text).tree)
        names = [identifier.full for identifier in identifiers]
        found = _of_text(text, written, identifiers)
        is_guarded = bool(found) and found[0].is_guard
    return [
        NameAccess(name.partition(".")[0], access, is_guarded)
        for name, access in zip(names, found, strict=False)
    ]


def _reads(record: Record, text: str) -> list[NameAccess]:
    names = plain_names(record, text) if isinstance(record, Shape) else None
    return [
        NameAccess(name.partition(".")[0], AccessKind(number, is_read=True, is_write=False), False)
        for number, name in enumerate(names or ())
    ]


def access_at(record: Record, text: str, place: StatementPosition) -> NameAccess | None:
    """Returns how an instruction uses the name that begins at a place in its text, if any does."""
    pairs = named_accesses(record, text)
    return next((access for identifier, access in pairs if identifier.start == place), None)


def named_accesses(record: Record, text: str) -> list[tuple[Identifier, NameAccess]]:
    """Returns the names of an instruction with their places and how it uses each, in order."""
    found = accesses_in(record, text)
    identifiers: Sequence[Identifier] = ()
    if isinstance(record, Shape):
        identifiers = identifiers_of(record, text)
    elif found:
        identifiers = instruction_parts.of_instruction(parser.parse(text).tree)[1]
    return [*zip(identifiers, found, strict=False)]


def _is_guarded(text: str) -> bool:
    return text.lstrip(" \t\r\n;{}").startswith("@")


@lru_cache(maxsize=1 << 14)
def accesses_of_shape(shape: Shape) -> tuple[AccessKind, ...]:
    """Returns how all instructions of a shape use their identifiers, in order."""
    written, identifiers = shape.operands, shape.identifiers
    instruction = isa.database().instruction(shape.name)
    roles: Sequence[str] | None = None if instruction is None else roles_by_position(instruction)
    if roles is None:
        roles = _roles(written, shape_verdict(shape, values=True))
    return _with_roles(written, identifiers, roles, is_guarded=bool(shape.guard))


def _of_text(
    text: str, written: Sequence[OperandSyntax], identifiers: Sequence[Identifier]
) -> tuple[AccessKind, ...]:
    """Returns the accesses of an instruction, without regard to the types of its names."""
    parts = instruction_parts.opcode_parts(parser.parse(text).tree)
    if not parts:
        return ()
    opcode, *modifiers = [part for part, _, _ in parts]
    roles = _roles_of(opcode, modifiers, written, len(identifiers))
    return _with_roles(written, identifiers, roles, is_guarded=_is_guarded(text))


def _roles_of(
    opcode: str, modifiers: Sequence[str], written: Sequence[OperandSyntax], n_identifiers: int
) -> Sequence[str]:
    """Returns the role of each operand of an instruction."""
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return _roles(written, None)
    known = roles_by_position(instruction)
    if known is not None:
        return known
    given = [to_operand(each, [UNDECLARED] * n_identifiers, values=True) for each in written]
    return _roles(written, isa.check(instruction, modifiers, given, isa.Context()))


def _accesses(
    written: Sequence[OperandSyntax],
    identifiers: Sequence[Identifier],
    verdict: Verdict | None,
    *,
    is_guarded: bool,
) -> tuple[AccessKind, ...]:
    return _with_roles(written, identifiers, _roles(written, verdict), is_guarded=is_guarded)


def _with_roles(
    written: Sequence[OperandSyntax],
    identifiers: Sequence[Identifier],
    roles: Sequence[str],
    *,
    is_guarded: bool,
) -> tuple[AccessKind, ...]:
    found: dict[int, AccessKind] = {}
    for access in _each(written, roles):
        before = found.get(access.number)
        found[access.number] = access if before is None else _both(before, access)
    if is_guarded and identifiers and 0 not in found:
        found[0] = AccessKind(0, is_read=True, is_write=False, is_guard=True)
    nothing = (AccessKind(number, False, False) for number in range(len(identifiers)))
    return tuple(found.get(access.number, access) for access in nothing)


def _both(first: AccessKind, second: AccessKind) -> AccessKind:
    return first._replace(
        is_read=first.is_read or second.is_read, is_write=first.is_write or second.is_write
    )


def _roles(written: Sequence[OperandSyntax], verdict: Verdict | None) -> list[str]:
    """Returns the role of each operand; without a form, the first one is the destination."""
    specs = verdict.operand_specs if verdict is not None and verdict.form is not None else None
    if specs is None:
        first = "write" if written and written[0].form is not OperandForm.ADDRESS else "read"
        return [first, *["read"] * (len(written) - 1)]
    roles = [spec.role if spec is not None else "read" for spec in specs]
    return [*roles, *["read"] * (len(written) - len(roles))]


def _each(written: Sequence[OperandSyntax], roles: Sequence[str]) -> Iterator[AccessKind]:
    for operand, role in zip(written, chain(roles, repeat("read")), strict=False):
        yield from _of_operand(operand, role)


def _of_operand(
    operand: OperandSyntax, role: str, *, is_address: bool = False
) -> Iterator[AccessKind]:
    is_write = role in _WRITES and not is_address
    is_address = is_address or operand.form is OperandForm.ADDRESS
    if operand.identifier >= 0:
        yield AccessKind(
            operand.identifier,
            is_read=role != "write" or is_address,
            is_write=is_write,
            is_address=is_address,
            is_partial=is_write and operand.selector in _COMPONENTS,
        )
    is_group = operand.form in GROUPS and operand.identifier < 0
    inner = role if is_group and not is_address else "read"
    for element in operand.elements:
        yield from _of_operand(element, inner, is_address=is_address)
    if operand.paired is not None:
        yield from _of_operand(operand.paired, role)
