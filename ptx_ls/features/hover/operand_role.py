"""Says what an operand is for in its instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.hover.instructions.describe_operands import parts_of
from ptx_ls.features.hover.operand_facts import operand_names
from ptx_ls.features.markup import Markdown
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.statement import MAX_ANALYSED
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa import Instruction
    from ptx_ls.isa.notation.table import OperandRow
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.statement import Statement


def role_at(analysis: Analysis, statement: Statement, position: Position) -> Markdown:
    """Says what the operand at a position is for; "" if there is none, or nothing to say.

    This does not judge the instruction, which would take longer than the rest of a hover.
    """
    shape, name = statement.record, operand_at(analysis, statement, position)
    found = isa.database().instruction(shape.name) if isinstance(shape, Shape) else None
    doc = found.operand_doc(name) if found is not None and name else ""
    if found is None or not doc:
        return markup.NOTHING
    return markup.filled(
        "Operand {} of {}: {}", markup.code(name), markup.code(found.opcode), markup.own(doc)
    )


def operand_at(analysis: Analysis, statement: Statement, position: Position) -> str:
    """Returns the manual's name of the operand, or of its part, at a position; "" for none."""
    shape = statement.record
    found = isa.database().instruction(shape.name) if isinstance(shape, Shape) else None
    if not isinstance(shape, Shape) or found is None or len(statement.text) > MAX_ANALYSED:
        return ""
    operands = written_operands(shape, statement.text)
    number = _at(statement, operands, position)
    names = operand_names(shape, analysis.context)
    if number is None or number >= len(names) or not names[number]:
        return ""
    name = _part(statement, operands[number], position, _rows(found, names[number]))
    return name or names[number]


def _at(statement: Statement, operands: Sequence[OperandSyntax], position: Position) -> int | None:
    for number, operand in enumerate(operands):
        place = statement.range(operand.start, operand.end)
        if place.start <= position < place.end:
            return number
    return None


def _rows(found: Instruction, name: str) -> tuple[OperandRow, ...]:
    rows = (row for form in found.forms for row in form.operands if row.name == name)
    return tuple(row for row in rows if row.pair or row.parts)


def _part(
    statement: Statement, operand: OperandSyntax, position: Position, rows: Sequence[OperandRow]
) -> str:
    """Returns the name of the second destination, or of the part of an address, at a position."""
    second = operand.paired
    if second is not None and position >= statement.position(second.start):
        return next((row.pair for row in rows if row.pair), "")
    number = _at(statement, operand.elements, position)
    if number is None:
        return ""
    parts = (parts_of(row, len(operand.elements)) for row in rows)
    return next((each[number].name for each in parts if each), "")
