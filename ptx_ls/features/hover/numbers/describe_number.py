"""Describes numbers: their value, what they mean for an instruction, and what they select."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.cursor import At, Cursor, cursor
from ptx_ls.features.hover import (
    describe_debug,
    describe_directive,
    describe_reference,
    describe_symbol,
)
from ptx_ls.features.hover.numbers import immediates, literals
from ptx_ls.features.markup import Markdown
from ptx_ls.source import Position
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.names import is_name
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import OPERATOR, WORD, tokenize

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.tokens import Token


_MAX_DECLARATION_LENGTH: Final = 300
"""Maximum length of the beginning of a declaration that is searched for its type."""


def number_after_sign(analysis: Analysis, position: Position) -> Cursor | None:
    """Returns the number after a sign at a position."""
    position = analysis.document.clamped(position)
    line = analysis.document.lines[position.line]
    if line[position.column : position.column + 1] != "-":
        return None
    under = cursor(analysis, Position(position.line, position.column + 1))
    is_signed = under is not None and under.at is At.NUMBER and is_negative(under)
    return under if is_signed else None


def is_negative(under: Cursor) -> bool:
    """Whether the minus right before a number is its sign, rather than a subtraction."""
    offset = under.statement.offset(under.range.start)
    if under.statement.text[:offset][-1:] != "-":
        return False
    *before, _ = under.tokens_before()
    if not before or before[-1].type is OPERATOR:
        return not before or before[-1].string not in (")", "]", "}")
    rest = before[_guard_length(before) :]
    return rest[0].type is WORD and all(it.string.startswith(".") for it in rest[1:])


def _guard_length(statement: list[Token]) -> int:
    """Returns the number of tokens of the guard that an instruction begins with."""
    if statement[0].string != "@":
        return 0
    return 3 if [it.string for it in statement[1:2]] == ["!"] else 2


def number(analysis: Analysis, under: Cursor) -> Markdown | None:
    """Describes the number under the cursor; returns None if there is nothing to say."""
    text, kind = under.statement.text, under.statement.record.kind
    if text.startswith(".version") and "." in under.text:
        return describe_reference.version(under.text)
    if kind is Kind.LOCATION:
        return describe_debug.location(analysis, under)
    if kind is Kind.DIRECTIVE and text.startswith(".file"):
        return describe_debug.of_file(under)
    if text.startswith(".address_size"):
        return describe_directive.dotted(".address_size")
    known = _bank(analysis, under) or _byte_of_address(under)
    if known:
        return known
    sign = "-" if is_negative(under) else ""
    value = literals.describe(sign + under.text, _width(analysis, under)) or markup.NOTHING
    from ptx_ls.features.hover.numbers.describe_expression import expression_at

    whole = expression_at(under.statement, under.range.start)
    return markup.paragraphs(
        in_texture(under),
        _meaning(analysis, under),
        whole[1] if whole is not None else "",
        value,
        role(analysis, under),
    )


def role(analysis: Analysis, under: Cursor) -> Markdown:
    """Describes the operand under the cursor: what the instruction uses it for."""
    from ptx_ls.features.hover.operand_role import role_at

    return role_at(analysis, under.statement, under.range.start)


def in_texture(under: Cursor) -> Markdown:
    """Explains a name or a number in the initial value of a declaration; "" elsewhere."""
    if under.statement.record.kind is not Kind.DECLARATION:
        return markup.NOTHING
    from ptx_ls.features.hover.describe_texture import in_initial_value

    return in_initial_value(under)


def _bank(analysis: Analysis, under: Cursor) -> Markdown | None:
    """Explains the registers whose number is in angle brackets; returns None for another number."""
    start = under.range.start
    before = analysis.document.lines[start.line][: start.column]
    head, bracket, blank = before.rpartition("<")
    if not bracket or blank.strip():
        return None
    under_name = cursor(analysis, Position(start.line, max(len(head.rstrip()) - 1, 0)))
    declared = analysis.lookup(under_name.text, start) if under_name is not None else None
    if declared is None or not declared.symbol.count:
        return None
    return describe_symbol.symbol(analysis, declared, declared.symbol.name, start)


def _byte_of_address(under: Cursor) -> Markdown:
    """Explains the mask of `0xFF00(name)` in an initial value; "" for another number."""
    value = integer(under.text)
    if under.statement.record.kind is not Kind.DECLARATION or value not in _MASKS:
        return markup.NOTHING
    after = under.statement.text[under.statement.offset(under.range.end) :]
    match [token.string for token in islice(tokenize(after), 4)]:
        case ["(", "generic", "(", name] | ["(", name, *_] if is_name(name):
            byte = str(_MASKS[value])
            mask = markup.code(under.text)
            return markup.filled("{}: byte {} of the address of {}", mask, byte, markup.code(name))
    return markup.NOTHING


def _width(analysis: Analysis, under: Cursor) -> int:
    """Returns the width in bits of the operand or initial value that a number is; 0 if unknown."""
    facts = isa.database().type_facts
    statement = under.statement
    if statement.record.kind is Kind.DECLARATION:
        offset = under.range.start.column if under.range.start.line == statement.start.line else 0
        head, equals, _ = statement.text[:_MAX_DECLARATION_LENGTH].partition("=")
        is_value = equals and (not offset or offset > statement.start.column + len(head))
        words = dotted_words(head) if is_value else []
    else:
        is_instruction = statement.record.kind is Kind.INSTRUCTION
        judged = analysis.instruction(statement) if is_instruction else None
        words = list(judged.modifiers) if judged is not None else []
    found = [facts[it][0] for it in words if it in facts]
    return found[-1] if found else 0


def _meaning(analysis: Analysis, under: Cursor) -> Markdown:
    """Returns the meaning of a constant for the instruction that it is an operand of."""
    if under.statement.record.kind is not Kind.INSTRUCTION:
        return markup.NOTHING
    judged = analysis.instruction(under.statement)
    for index, operand in enumerate(judged.operands if judged is not None else ()):
        place = under.statement.range(operand.start, operand.end)
        if judged is not None and place.start < under.range.end <= place.end:
            return immediates.meaning(judged, index)
    return markup.NOTHING


_MASKS: Final = {0xFF << 8 * byte: byte for byte in range(8)}
"""The byte of an address that a mask selects, counted from the lowest."""
