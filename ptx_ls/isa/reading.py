"""How an instruction is read: what each operand is, whether the rest is right or not.

The same as `check` finds, without judging: mostly the modifiers and the number of operands leave
one way to read an instruction, and that is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ptx_ls.isa.check import check, complete_forms, repeated, resolve
from ptx_ls.isa.expression import Scope
from ptx_ls.isa.gates import check_gates
from ptx_ls.isa.match import Placement
from ptx_ls.isa.model import Form, Instruction, OperandSpec
from ptx_ls.isa.operand import Operand
from ptx_ls.isa.operand_check import bindings
from ptx_ls.isa.table import FormRow, Node, OperandRow
from ptx_ls.isa.verdict import Context, Violation, ViolationKind

_OF_OPERANDS = frozenset({"?", "inspect"})
"""Operators of expressions that look at operands."""
_OUTSIDE = "outside"
"""Flag of parts of addresses that may stand behind them; see `flatten`."""


class ReadOperand(NamedTuple):
    """What an operand is: its name and role in the form, and its type here, "" without one."""

    name: str
    role: str
    type: str


class Reading(NamedTuple):
    """What an instruction is. `operands` is aligned with those written, None for one too many."""

    operands: tuple[ReadOperand | None, ...] = ()
    is_deprecated: bool = False


_MOST = 1 << 14
_readings: dict[tuple[str, tuple[str, ...], int, Context], Reading | None] = {}


def read(
    instruction: Instruction,
    modifiers: tuple[str, ...],
    n_operands: int,
    context: Context,
    operands: Callable[[], Sequence[Operand]],
) -> Reading:
    """How `opcode.modifiers` with so many operands is read where `context` says it stands.

    `operands` is called where they have a say. Never raises.
    """
    key = instruction.opcode, modifiers, n_operands, context
    if key not in _readings:
        if len(_readings) > _MOST:
            _readings.clear()
        _readings[key] = _sole(instruction, modifiers, n_operands, context)
    found = _readings[key]
    if found is not None:
        return found
    verdict = check(instruction, modifiers, operands(), context)
    return Reading(_of_specs(verdict.operand_specs), _is_deprecated(verdict.violations))


def _of_specs(specs: Iterable[OperandSpec | None]) -> tuple[ReadOperand | None, ...]:
    return tuple([ReadOperand(it.name, it.role, it.type) if it else None for it in specs])


def _is_deprecated(violations: Iterable[Violation]) -> bool:
    return any(each.kind is ViolationKind.DEPRECATED for each in violations)


def _sole(
    instruction: Instruction, modifiers: tuple[str, ...], n_operands: int, context: Context
) -> Reading | None:
    """The one way to read so many operands behind these modifiers; None if they have a say."""
    if repeated(instruction, modifiers):
        return None
    found: Reading | None = None
    for form, placement in complete_forms(instruction, modifiers, frozenset()):
        if _is_outside(form.row):
            return None
        choices = bindings(form.row, n_operands)
        if not choices:
            return None
        for rows in choices:
            reading = _reading(form, placement, rows, context)
            if reading is None or (found is not None and found != reading):
                return None
            found = reading
    return found


def _reading(
    form: Form, placement: Placement, rows: Sequence[OperandRow], context: Context
) -> Reading | None:
    """How operands in these places are read; None if that depends on what they are."""
    row = form.row
    nodes = [spec.type for it in rows for spec in it.specs if spec.type is not None]
    nodes += [gate.condition for gate in (*row.until, *row.deprecated) if gate.condition]
    if any(_looks(node, row.n_modifier_slots) for node in nodes):
        return None
    scope = Scope(placement.values, form.types, row.tables)
    is_deprecated = bool(row.deprecated) and _is_deprecated(check_gates(row, scope, context))
    return Reading(_of_specs(resolve(it, scope) for it in rows), is_deprecated)


def _is_outside(row: FormRow) -> bool:
    return any(
        it.parts and any(_OUTSIDE in spec.flags for spec in it.parts[-1].specs)
        for it in row.operands
    )


def _looks(node: Node, n_modifiers: int) -> bool:
    """Whether an expression looks at operands, or at a selector behind one."""
    operator, *rest = node
    if operator in _OF_OPERANDS:
        return True
    if operator == "slot":
        return bool(rest[0] >= n_modifiers)
    if operator == "present":
        return max(rest[1], default=0) >= n_modifiers
    parts = [part for part in rest if isinstance(part, tuple)]
    while parts:
        part = parts.pop()
        if part and isinstance(part[0], tuple):
            parts += part
        elif part and isinstance(part[0], str) and _looks(part, n_modifiers):
            return True
    return False
