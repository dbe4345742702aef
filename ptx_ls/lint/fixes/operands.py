"""Fixes that change the operands of an instruction, each checked before it is offered."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.isa import ViolationKind
from ptx_ls.isa.checking.verdict import SECOND
from ptx_ls.lint.fixes.alternatives import verdict_on
from ptx_ls.lint.rule import Repair, SpanEdit
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax import parser
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.names import is_name
from ptx_ls.syntax.offsets import after, shifted
from ptx_ls.syntax.parsing import instruction_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.isa import Operand
    from ptx_ls.lint.rule import RuleContext
    from ptx_ls.semantics.problems.instructions import InstructionMismatch

_MAX_REGISTERS: Final = 3
"""Maximum number of registers that are offered to replace one."""
_MAX_STATEMENT_LINES: Final = 40
"""Maximum number of lines of a statement that is read again."""


def places(mismatch: InstructionMismatch, context: RuleContext) -> list[FunctionSpan]:
    """Returns where the operands of the instruction are; empty if that is not certain."""
    line, column = mismatch.opcode_start
    first, *others = context.lines[line : line + _MAX_STATEMENT_LINES]
    rest = after(first, column) + "".join([after(each, 0) for each in others])
    text, semicolon, _ = rest.partition(";")
    if not semicolon or "\r" in text:
        return []
    parsed = parser.parse(text + semicolon)
    if parsed.problem is not None:
        return []
    written, _ = instruction_parts.of_instruction(parsed.tree)
    if len(written) != len(mismatch.operands):
        return []
    start = mismatch.opcode_start
    return [(shifted(one.start, start), shifted(one.end, start)) for one in written]


def other_registers(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns fixes that use the register with the same number in a bank of the right type."""
    prefix = mismatch.operand.rstrip(string.digits)
    digits = mismatch.operand[len(prefix) :]
    kind, *numbers = mismatch.violation.part
    is_numbered = digits and is_name(prefix)
    if not is_numbered or kind != "operand" or not mismatch.operands:
        return ()
    found: list[Repair] = []
    is_fitting: dict[str, bool] = {}
    for name, type_name in _numbered_alike(prefix, digits, mismatch.start, context):
        if type_name not in is_fitting:
            operands = _retyped(mismatch.operands, [int(number) for number in numbers], type_name)
            is_fitting[type_name] = (
                operands is not None
                and _may_fit(mismatch, type_name)
                and _is_sound(mismatch, operands, context)
            )
        if is_fitting[type_name]:
            edit = SpanEdit(mismatch.start, mismatch.end, name)
            found.append(Repair(f"Replace with `{name}`, which is `{type_name}`", (edit,)))
        if len(found) == _MAX_REGISTERS:
            break
    return tuple(found)


def _may_fit(mismatch: InstructionMismatch, type_name: str) -> bool:
    """Whether a type has an expected width: a quick test before the full check."""
    expected = " ".join(mismatch.violation.expected)
    types = isa.database().type_facts
    widths = {types[name][0] for name in dotted_words(expected) if name in types}
    return not widths or "wider" in expected or types.get(type_name, (0, ""))[0] in widths


def _numbered_alike(
    prefix: str, digits: str, place: FunctionPosition, context: RuleContext
) -> Iterator[tuple[str, str]]:
    """Yields the names and types of the registers with the same number in other banks."""
    for register in context.ranges:
        is_seen = register.start < place and register.vector_size == 1
        if is_seen and register.name != prefix and decimal(digits) < register.count:
            yield register.name + digits, register.type


def _retyped(
    operands: Sequence[Operand], indices: list[int], type_name: str
) -> tuple[Operand, ...] | None:
    """Returns the operands with a register of another type in one place."""
    if indices[0] >= len(operands):
        return None
    operand = operands[indices[0]]
    if len(indices) > 1 and indices[1] == SECOND:
        second = operand.paired._replace(type=type_name) if operand.paired is not None else None
        changed = operand._replace(paired=second)
    elif len(indices) > 1:
        if indices[1] >= len(operand.elements):
            return None
        part = operand.elements[indices[1]]._replace(type=type_name)
        changed = operand._replace(elements=with_operand(operand.elements, indices[1], part))
    else:
        changed = operand._replace(type=type_name)
    return with_operand(operands, indices[0], changed)


def with_operand(operands: Sequence[Operand], index: int, operand: Operand) -> tuple[Operand, ...]:
    """Returns the operands with the one at an index replaced."""
    return (*operands[:index], operand, *operands[index + 1 :])


def operand_index(mismatch: InstructionMismatch) -> int | None:
    """Returns the index of the operand that the mismatch names, if it is a whole operand."""
    kind, *numbers = mismatch.violation.part
    is_operand = kind == "operand" and len(numbers) == 1
    return int(numbers[0]) if is_operand and int(numbers[0]) < len(mismatch.operands) else None


def _is_sound(
    mismatch: InstructionMismatch, operands: Sequence[Operand], context: RuleContext
) -> bool:
    """Whether the operands violate nothing except perhaps the order of modifiers."""
    verdict = verdict_on(mismatch, context, operands=operands)
    order = ViolationKind.MODIFIER_ORDER
    return verdict is not None and all(one.kind is order for one in verdict.violations)
