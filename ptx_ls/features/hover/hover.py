"""Hover: what is under the cursor, explained."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.statements import statement_at
from ptx_ls.features import markup
from ptx_ls.features.cursor import At, Cursor, cursor
from ptx_ls.features.hover import (
    describe_debug,
    describe_directive,
    describe_instruction,
    describe_reference,
    describe_symbol,
    immediates,
    literals,
)
from ptx_ls.features.markup import Markdown, own
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position, Range
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.names import NAME_CHARACTERS
from ptx_ls.syntax.operands import opcode_parts
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import REG, WORD, tokenize

if TYPE_CHECKING:
    from ptx_ls.isa.layout import MatrixLayout
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.statement import Statement

_OF_BODIES: Final = (Kind.INSTRUCTION, Kind.LABEL, Kind.DECLARATION)
_FUNCTIONS: Final = (SymbolKind.FUNCTION, SymbolKind.KERNEL)
_SINK: Final = own("`_`: the sink: discards a result, or takes the place of an omitted name")
_COMPONENTS: Final = {".x": "first", ".y": "second", ".z": "third", ".w": "fourth"}
_COMPONENT: Final = re.compile(r"\.[xyzwrgba]\b").match
_SIGN: Final = re.compile(
    r"[,({\[+=<?:/*&|^~!]\s*-$|(?:^|[;{}:])\s*"
    rf"(?:@!?\s*{NAME_CHARACTERS}\s+)?[a-z][\w.:]*\s+-$"
).search
"""Behind an operator, or what begins an instruction: no difference."""
_MAX_CHARACTERS_BEFORE: Final = 200
"""Characters before a sign that are looked at."""
_PRAGMA: Final = re.compile(r"\.pragma\s*+(?:\"[^\"]*+\"\s*+,\s*+)*$").search
_MAX_DECLARATION_LENGTH: Final = 300
"""Characters of a declaration in which its type is looked for."""
_VERSION: Final = re.compile(r"(\d+)\.(\d+)").fullmatch


@dataclass(frozen=True, slots=True)
class Hover:
    """An explanation in Markdown, and the text it is about."""

    range: Range
    markdown: Markdown


def hover(analysis: Analysis, position: Position) -> Hover | None:
    """What is at a position; None where there is nothing to say."""
    under = cursor(analysis, position) or _after_sign(analysis, position)
    if under is None:
        return None
    text = _TEXTS[under.at](analysis, under)
    place = under.range
    if under.at is At.NUMBER and _is_negative(analysis, under):
        place = Range(Position(place.start.line, place.start.column - 1), place.end)
    return Hover(place, text) if text else None


def _after_sign(analysis: Analysis, position: Position) -> Cursor | None:
    """The number behind a sign at a position."""
    position = analysis.document.clamped(position)
    line = analysis.document.lines[position.line]
    if line[position.column : position.column + 1] != "-":
        return None
    under = cursor(analysis, Position(position.line, position.column + 1))
    is_signed = under is not None and under.at is At.NUMBER and _is_negative(analysis, under)
    return under if is_signed else None


def _is_negative(analysis: Analysis, under: Cursor) -> bool:
    """Whether a sign, and no difference, stands before a number."""
    before = analysis.document.lines[under.range.start.line][: under.range.start.column]
    return _SIGN(before[-_MAX_CHARACTERS_BEFORE:]) is not None


def is_local(analysis: Analysis, position: Position) -> bool:
    """Whether what is at a position is explained by its function and the module's header alone."""
    statement = statement_at(analysis.document, position)
    if statement is None:
        return True
    if statement.record.kind not in _OF_BODIES:
        return False
    region = analysis.region_at(position)
    names = [token.string for token in tokenize(statement.text) if token.type in (WORD, REG)]
    for name in (name.partition(".")[0] for name in names):
        declared = analysis.lookup(name, position)
        if declared is None:
            if analysis.special_register(name) is None and name not in _of_statement(statement):
                return False
        elif declared.region != region or declared.symbol.kind in _FUNCTIONS:
            return False
    return True


def _of_statement(statement: Statement) -> frozenset[str]:
    """Words of an instruction that are no names: its opcode, the sink."""
    parts = opcode_parts(statement.parsed.tree) if statement.record.kind is Kind.INSTRUCTION else ()
    return frozenset({"_", *describe_debug.WORDS, *(text for text, _, _ in parts)})


def _opcode(analysis: Analysis, under: Cursor) -> Markdown | None:
    judged = analysis.instruction(under.statement)
    if judged is None:
        return None
    return describe_instruction.instruction(analysis, judged)


def _modifier(analysis: Analysis, under: Cursor) -> Markdown | None:
    judged = analysis.instruction(under.statement)
    if judged is None or judged.instruction is None:
        return None
    return describe_instruction.modifier(judged, under.number)


def _name(analysis: Analysis, under: Cursor) -> Markdown | None:
    end = under.range.end
    declared = analysis.lookup(under.text, under.range.start)
    if declared is not None:
        text = describe_symbol.symbol(analysis, declared, under.text, under.range.start)
        return markup.paragraphs(text, _held(analysis, under))
    if under.statement.record.kind is Kind.FUNCTION_DECLARATION:
        return describe_symbol.parameter_of_prototype(under.statement.text, under.text)
    register = analysis.special_register(under.text)
    if register is not None:
        component = _COMPONENT(analysis.document.lines[end.line], end.column)
        name = under.text + (component[0] if component is not None else "")
        return describe_reference.special_register(analysis, register, name)
    return describe_directive.predefined(under.text)


def _fragment(analysis: Analysis, under: Cursor) -> tuple[MatrixLayout, int, int] | None:
    """As `describe_instruction.fragment`, of what is under the cursor."""
    if under.at is not At.NAME or under.statement.record.kind is not Kind.INSTRUCTION:
        return None
    judged = analysis.instruction(under.statement)
    if judged is None:
        return None
    return describe_instruction.fragment(judged, under.range.start)


def _held(analysis: Analysis, under: Cursor) -> Markdown:
    """What of a matrix a register in a matrix instruction holds."""
    found = _fragment(analysis, under)
    if found is None:
        return _swizzling(analysis, under)
    from ptx_ls.features.hover.describe_variant import fragment

    return fragment(*found)


def _swizzling(analysis: Analysis, under: Cursor) -> Markdown:
    """The swizzling modes that a register may name, if it is the descriptor of a matrix."""
    if under.at is not At.NAME or under.statement.record.kind is not Kind.INSTRUCTION:
        return markup.NOTHING
    judged = analysis.instruction(under.statement)
    if judged is None:
        return markup.NOTHING
    return describe_instruction.swizzling(judged, under.range.start)


def picture(analysis: Analysis, position: Position) -> str:
    """An image, as a `data:` URI, of the matrix that a register at a position is a part of.

    "" where there is none. Not every client shows images, so it is no part of the hover.
    """
    under = cursor(analysis, position)
    found = _fragment(analysis, under) if under is not None else None
    if found is None:
        return ""
    from ptx_ls.features.hover.fragment_picture import data_uri

    return data_uri(*found)


def _selector(analysis: Analysis, under: Cursor) -> Markdown | None:
    position = under.range.start
    line = analysis.document.lines[position.line]
    names = re.findall(rf"{NAME_CHARACTERS}$", line[: position.column])
    register = analysis.special_register(names[0]) if names else None
    if register is not None and names:
        return describe_reference.special_register(analysis, register, names[0] + under.text)
    if under.text in _COMPONENTS:
        declared = analysis.lookup(names[0], position) if names else None
        if declared is None:
            part = _COMPONENTS[under.text]
            return markup.filled("{}: the {} element of a vector", markup.code(under.text), part)
        named = names[0] + under.text, names[0], declared.symbol.type
        element, name, kind = map(markup.code, named)
        part = _COMPONENTS[under.text]
        return markup.filled("{}: {} element of {}, {}", element, part, name, kind)
    return markup.filled("{}: a part of the operand before it", markup.code(under.text))


def _number(analysis: Analysis, under: Cursor) -> Markdown | None:
    match = _VERSION(under.text)
    if match is not None and under.statement.text.startswith(".version"):
        return describe_reference.version((decimal(match[1]), decimal(match[2])))
    if under.statement.record.kind is Kind.LOCATION:
        return describe_debug.location(analysis, under)
    if under.statement.record.kind is Kind.DIRECTIVE and under.statement.text.startswith(".file"):
        return describe_debug.of_file(under)
    if under.statement.text.startswith(".address_size"):
        return describe_directive.dotted(".address_size")
    bank = _bank(analysis, under)
    if bank is not None:
        return bank
    byte = _byte_of_address(analysis, under)
    if byte:
        return byte
    sign = "-" if _is_negative(analysis, under) else ""
    bits = _width(analysis, under)
    text = literals.describe(sign + under.text, bits) or markup.NOTHING
    return markup.paragraphs(_meaning(analysis, under), text)


def _bank(analysis: Analysis, under: Cursor) -> Markdown | None:
    """The registers that a number in angle brackets declares."""
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


def _byte_of_address(analysis: Analysis, under: Cursor) -> Markdown:
    """The byte that the mask of `0xFF00(name)` takes in an initial value; "" for another number."""
    if under.statement.record.kind is not Kind.DECLARATION:
        return markup.NOTHING
    line = analysis.document.lines[under.range.start.line]
    named = _MASKED(line, under.range.end.column)
    value = integer(under.text)
    if named is None or value not in _MASKS:
        return markup.NOTHING
    mask, name, byte = markup.code(under.text), markup.code(named[1]), str(_MASKS[value])
    return markup.filled("{}: byte {} of the address of {}", mask, byte, name)


def _width(analysis: Analysis, under: Cursor) -> int:
    """Bits of what a number is an operand or initial value of; 0 if that says nothing of it."""
    facts = isa.database().type_facts
    statement = under.statement
    if statement.record.kind is Kind.DECLARATION:
        offset = under.range.start.column if under.range.start.line == statement.start.line else 0
        head, equals, _ = statement.text[:_MAX_DECLARATION_LENGTH].partition("=")
        is_value = equals and (not offset or offset > statement.start.column + len(head))
        words = dotted_words(head) if is_value else []
    else:
        judged = analysis.instruction(statement) if _is_instruction(statement) else None
        words = list(judged.modifiers) if judged is not None else []
    found = [facts[it][0] for it in words if it in facts]
    return found[-1] if found else 0


def _is_instruction(statement: Statement) -> bool:
    return statement.record.kind is Kind.INSTRUCTION


def _meaning(analysis: Analysis, under: Cursor) -> Markdown:
    """What a constant means to the instruction that it is an operand of."""
    if under.statement.record.kind is not Kind.INSTRUCTION:
        return markup.NOTHING
    judged = analysis.instruction(under.statement)
    for index, operand in enumerate(judged.operands if judged is not None else ()):
        place = under.statement.range(operand.start, operand.end)
        if judged is not None and place.start < under.range.end <= place.end:
            return immediates.meaning(judged, index)
    return markup.NOTHING


def _dotted(analysis: Analysis, under: Cursor) -> Markdown | None:
    if under.statement.record.kind is Kind.LOCATION:
        return describe_debug.of_location(analysis, under)
    if under.statement.record.kind is Kind.DATA:
        return describe_debug.data(analysis, under)
    return (
        describe_directive.dotted(under.text)
        or describe_symbol.dotted(under.text)
        or describe_debug.section(under.text)
    )


def _word(analysis: Analysis, under: Cursor) -> Markdown | None:
    if under.text in describe_debug.WORDS:
        return describe_debug.of_location(analysis, under)
    return _SINK if under.text == "_" else describe_reference.target(under.text)


def _string(analysis: Analysis, under: Cursor) -> Markdown | None:
    statement = under.statement
    if statement.text.startswith(".file"):
        return describe_debug.of_file(under)
    before = list(analysis.document.lines[statement.start.line : under.range.start.line + 1])
    before[-1] = before[-1][: under.range.start.column]
    is_pragma = _PRAGMA("".join(before)[-_MAX_CHARACTERS_BEFORE:]) is not None
    return describe_directive.pragma(under.text) if is_pragma else None


_MASKED: Final = re.compile(rf"\s*+\(\s*+(?:generic\s*+\(\s*+)?({NAME_CHARACTERS})", re.ASCII).match
_MASKS: Final = {0xFF << 8 * byte: byte for byte in range(8)}
"""Which byte of an address the mask before it takes, counted from the lowest."""
_TEXTS: Final = {
    At.OPCODE: _opcode,
    At.MODIFIER: _modifier,
    At.NAME: _name,
    At.SELECTOR: _selector,
    At.NUMBER: _number,
    At.DOTTED: _dotted,
    At.WORD: _word,
    At.STRING: _string,
}
