"""Finds the range of a violation in the statement: an opcode, a modifier, an operand or a part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.isa.checking.verdict import SECOND
from ptx_ls.semantics.problems.instructions import InstructionMismatch
from ptx_ls.syntax import parser
from ptx_ls.syntax.dotted import parts_of_opcode
from ptx_ls.syntax.offsets import StatementPosition, shifted
from ptx_ls.syntax.parsing import instruction_parts
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa import Violation
    from ptx_ls.semantics.instructions.verdicts import InstructionVerdict
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.record import Shape


def instruction_mismatches(
    verdict: InstructionVerdict, shape: Shape, found: Found
) -> Iterator[InstructionMismatch]:
    """Yields the violations of a statement with their ranges, except those of single names."""
    violations = [each for each in verdict.violations if each.part[0] != "identifier"]
    if not violations:
        return
    parts = _plain_parts(shape, found.text)
    written: tuple[OperandSyntax, ...] = ()
    if not parts:
        parts = instruction_parts.opcode_parts(parser.parse(found.text).tree)
    if any(violation.part[0] == "operand" for violation in violations):
        written = written_operands(shape, found.text)
    whole = shifted(parts[0][1], found.start), shifted(parts[-1][2], found.start)
    for violation in violations:
        start, end, operand = *whole, ""
        part = _part(violation, parts, written)
        if part is not None:
            start, end, operand = (
                shifted(part[0], found.start),
                shifted(part[1], found.start),
                part[2],
            )
        yield InstructionMismatch(
            violation,
            start,
            end,
            shape.opcode,
            *whole,
            operand,
            verdict.form,
            verdict.operands,
        )


def _plain_parts(shape: Shape, text: str) -> tuple[instruction_parts.OpcodePart, ...]:
    """Returns the opcode and modifiers of a statement on one line; () if it has to be parsed."""
    start = text.find(shape.opcode)
    if start < 0 or "\n" in text or "/" in text or (start and text[start - 1] not in " \t"):
        return ()
    return tuple(
        (
            part[0],
            StatementPosition((0, start + part.start())),
            StatementPosition((0, start + part.end())),
        )
        for part in parts_of_opcode(shape.opcode)
    )


def _part(
    violation: Violation,
    opcode: tuple[instruction_parts.OpcodePart, ...],
    written: tuple[OperandSyntax, ...],
) -> tuple[StatementPosition, StatementPosition, str] | None:
    """Returns the range and text of the part that a violation names; None if it names none."""
    kind, *numbers = violation.part
    if kind == "modifier" and int(numbers[0]) + 1 < len(opcode):
        return *opcode[int(numbers[0]) + 1][1:], ""
    if kind == "operand" and int(numbers[0]) < len(written):
        operand = written[int(numbers[0])]
        if len(numbers) > 1 and numbers[1] == SECOND and operand.paired is not None:
            operand = operand.paired
        elif len(numbers) > 1 and 0 <= int(numbers[1]) < len(operand.elements):
            operand = operand.elements[int(numbers[1])]
        return operand.start, operand.end, operand.text
    return None
