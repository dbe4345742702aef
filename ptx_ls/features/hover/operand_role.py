"""Says what an operand is for in its instruction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.hover.instructions.describe_operands import parts_of
from ptx_ls.features.hover.operand_facts import operand_names
from ptx_ls.features.markup import Markdown
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.statement import MAX_ANALYSED
from ptx_ls.syntax.tokens import tokenize
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa import Instruction
    from ptx_ls.isa.notation.table import OperandRow
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.statement import Statement


_TRIVIAL: Final = LazyPattern(
    r"(?:(?:First |Second |Third )?(?:source|factor|summand)|Dividend|Divisor|Radicand"
    r"|Destination(?:,? [^.]*)?|Receives the (?:result|outcome|value)|Registers?, [^.]*"
    r"|(?:The )?value to (?:add|compare|extend|invert|negate|search|shift|subtract(?: from)?|test)"
    r"|Value, or vector of values, to store"
    r"|(?:Left|Right) side of the comparison|Address to (?:read from|write to)[^.]*"
    r"|Operand of the operation)\.",
    re.IGNORECASE,
)
"""Descriptions that say no more than the place of the operand and the opcode."""
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")


def role_at(analysis: Analysis, statement: Statement, position: Position) -> Markdown:
    """Says what the operand at a position is for; "" if there is none, or only its place is known.

    This does not judge the instruction, which would take longer than the rest of a hover.
    """
    shape, name = statement.record, operand_at(analysis, statement, position)
    found = isa.database().instruction(shape.name) if isinstance(shape, Shape) else None
    doc = found.operand_doc(name) if found is not None and name else ""
    if found is None or not doc or _TRIVIAL.fullmatch(doc):
        return markup.NOTHING
    return markup.filled(
        "Operand {} of {}. {}", markup.code(name), markup.code(found.opcode), markup.own(doc)
    )


def operand_at(analysis: Analysis, statement: Statement, position: Position) -> str:
    """Returns the manual's name of the operand, or of its part, at a position; "" for none."""
    shape = statement.record
    found = isa.database().instruction(shape.name) if isinstance(shape, Shape) else None
    if not isinstance(shape, Shape) or found is None or len(statement.text) > MAX_ANALYSED:
        return ""
    number, is_second = _number(statement.text[: statement.offset(position)])
    names = operand_names(shape, analysis.context)
    if not 0 <= number < len(names) or not names[number]:
        return ""
    rows = _rows(found, names[number])
    if is_second:
        return next((row.pair for row in rows if row.pair), "") or names[number]
    rows = tuple(row for row in rows if row.parts)
    part = _part(statement, shape, position, number, rows) if rows else ""
    return part or names[number]


def _number(before: str) -> tuple[int, bool]:
    """Returns the number of the operand that begins after a text, -1 in the guard or the opcode.

    Also returns whether it is the second destination of a pair.
    """
    words = [token.string for token in tokenize(before) if token.string]
    guard = words[:1] == ["@"]
    start = 1 + (3 if words[1:2] == ["!"] else 2) if guard else 1
    depth, number, is_second = 0, 0, False
    for word in words[start:]:
        depth += (word in _OPENING) - (word in _CLOSING)
        if depth == 0 and word == ",":
            number, is_second = number + 1, False
        elif depth == 0 and word == "|":
            is_second = True
    return (number if len(words) >= start else -1), is_second


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
    statement: Statement,
    shape: Shape,
    position: Position,
    number: int,
    rows: Sequence[OperandRow],
) -> str:
    """Returns the name of the part of a compound address at a position; "" for none."""
    operands = written_operands(shape, statement.text)
    elements = operands[number].elements if number < len(operands) else ()
    part = _at(statement, elements, position)
    found = (parts_of(row, len(elements)) for row in rows)
    return next((each[part].name for each in found if each and part is not None), "")
