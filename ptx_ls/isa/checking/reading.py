"""Finds how an instruction is read: what each operand is, even if the rest is wrong.

The operands are those that `check` finds, but nothing is judged: usually the modifiers and the
number of operands leave only one way to read an instruction, which is cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ptx_ls.isa.checking.check import complete_forms
from ptx_ls.isa.checking.check import read as judge
from ptx_ls.isa.checking.gates import check_gates
from ptx_ls.isa.checking.ignored_modifiers import repeated
from ptx_ls.isa.checking.operand_check import bindings
from ptx_ls.isa.checking.scalar_check import spec_type
from ptx_ls.isa.checking.verdict import Context, Violation, ViolationKind
from ptx_ls.isa.diagnosis.mismatch import nearest
from ptx_ls.isa.model import Form, Instruction, OperandSpec
from ptx_ls.isa.notation.expression import looks_at_operands, slots_in
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import Node, OperandRow
from ptx_ls.isa.operand import Operand
from ptx_ls.source.named_tuple import NamedTuple

_OUTSIDE = "outside"
"""The flag of a part of an address that may come after the address; see `flatten`."""


class ReadOperand(NamedTuple):
    """An operand as read: its name and role in the form, and its type here, or ""."""

    name: str
    role: str
    type: str


class InstructionReading(NamedTuple):
    """An instruction as read. `operands`: an item for each written operand, None if extra."""

    operands: tuple[ReadOperand | None, ...] = ()
    is_deprecated: bool = False


_MAX_READINGS = 1 << 14
_readings: dict[tuple[str, tuple[str, ...], int, Context], InstructionReading | None] = {}


def sole_reading(
    instruction: Instruction, modifiers: tuple[str, ...], n_operands: int, context: Context
) -> InstructionReading | None:
    """Returns the only way to read `opcode.modifiers` with `n_operands` operands in a `context`.

    Returns None if the reading depends on the operands: then use `read`.
    """
    key = instruction.opcode, modifiers, n_operands, context
    if key not in _readings:
        if len(_readings) > _MAX_READINGS:
            _readings.clear()
        _readings[key] = _sole(instruction, modifiers, n_operands, context)
    return _readings[key]


def read(
    instruction: Instruction,
    modifiers: tuple[str, ...],
    operands: Sequence[Operand],
    context: Context,
) -> InstructionReading:
    """Returns how `opcode.modifiers operands` is read in a `context`. Never raises."""
    verdict, skipped, _ = judge(instruction, modifiers, operands, context)
    if verdict is None:  # no form takes the modifiers
        return InstructionReading(
            _of_specs(nearest(instruction, modifiers, operands, skipped).operand_specs)
        )
    return InstructionReading(_of_specs(verdict.operand_specs), _is_deprecated(verdict.violations))


def _of_specs(specs: Iterable[OperandSpec | None]) -> tuple[ReadOperand | None, ...]:
    return tuple([ReadOperand(it.name, it.role, it.type) if it else None for it in specs])


def _is_deprecated(violations: Iterable[Violation]) -> bool:
    return any(each.kind is ViolationKind.DEPRECATED for each in violations)


def _sole(
    instruction: Instruction, modifiers: tuple[str, ...], n_operands: int, context: Context
) -> InstructionReading | None:
    """Returns the only way to read `n_operands` operands; None if it depends on the operands."""
    if repeated(instruction, modifiers):
        return None
    found: InstructionReading | None = None
    for form, placement in complete_forms(instruction, modifiers, frozenset()):
        choices = bindings(form.row, n_operands)
        if not choices or _looks_at_operands(form):
            return None
        scope = form.scope(placement.values)
        gates = check_gates(form.row, scope, context) if form.row.deprecated else ()
        for rows in choices:
            operands = tuple([_operand(row, scope) for row in rows])
            reading = InstructionReading(operands, _is_deprecated(gates))
            if found is not None and found != reading:
                return None
            found = reading
    return found


def _operand(row: OperandRow, scope: ExpressionScope) -> ReadOperand:
    for spec in row.specs:
        type_ = spec_type(spec, scope)
        if type_:
            return ReadOperand(row.name, row.role, type_)
    return ReadOperand(row.name, row.role, "")


def _looks_at_operands(form: Form) -> bool:
    """Whether operands determine how they are read."""
    row = form.row
    if any(it.parts and _is_outside(it.parts[-1]) for it in row.operands):
        return True
    nodes = [spec.type for it in row.operands for spec in it.specs if spec.type is not None]
    nodes += [gate.condition for gate in (*row.until, *row.deprecated) if gate.condition]
    return any(_looks(node, row.n_modifier_slots) for node in nodes)


def _is_outside(part: OperandRow) -> bool:
    return any(_OUTSIDE in spec.flags for spec in part.specs)


def _looks(node: Node, n_modifiers: int) -> bool:
    """Whether an expression examines operands, or a selector after one."""
    return looks_at_operands(node) or max(slots_in(node), default=0) >= n_modifiers
