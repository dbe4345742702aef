"""Hover: explains what is under the cursor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features import markup
from ptx_ls.features.cursor import At, Cursor, cursor
from ptx_ls.features.hover import (
    describe_debug,
    describe_directive,
    describe_matrix,
    describe_reference,
    describe_suppression,
    describe_symbol,
)
from ptx_ls.features.hover.instructions import describe_instruction
from ptx_ls.features.hover.numbers.describe_number import (
    in_texture,
    is_negative,
    number,
    number_after_sign,
    role,
)
from ptx_ls.features.markup import Markdown, own
from ptx_ls.isa.matrices.form_layouts import entries_of
from ptx_ls.isa.matrices.swizzle import modes_of
from ptx_ls.isa.operand import COMPONENTS
from ptx_ls.semantics.symbols.symbols import FUNCTION_KINDS, SymbolKind
from ptx_ls.source import Position, Range
from ptx_ls.syntax.parsing.instruction_parts import opcode_parts
from ptx_ls.syntax.record import Kind, Shape
from ptx_ls.syntax.tokens import REG, STRING, WORD, tokenize

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis, JudgedInstruction
    from ptx_ls.syntax.statement import Statement

_OF_BODIES: Final = (Kind.INSTRUCTION, Kind.LABEL, Kind.DECLARATION)
_SINK: Final = own("`_`: discards a result, or takes the place of an omitted name")
_ELEMENTS: Final = {".x": "first", ".y": "second", ".z": "third", ".w": "fourth"}


@dataclass(frozen=True, slots=True)
class Hover:
    """An explanation in Markdown, and the range that it explains.

    `body`: the effect of an instruction, or all about other text. `details`: properties that every
    such instruction has; the state of threads and of asynchronous work comes before them. `ending`:
    requirements and links.
    """

    range: Range
    body: Markdown
    details: Markdown = markup.NOTHING
    ending: Markdown = markup.NOTHING

    @property
    def markdown(self) -> Markdown:
        """The whole explanation."""
        return markup.paragraphs(self.body, self.details, self.ending)


def hover(analysis: Analysis, position: Position, *, shows_images: bool = False) -> Hover | None:
    """Explains what is at a position; returns None if there is nothing to say.

    `shows_images`: whether the client shows the `picture` of a matrix, instead of a table.
    """
    under = cursor(analysis, position) or number_after_sign(analysis, position)
    if under is None:
        found = describe_suppression.rule_at(
            analysis.document, analysis.document.clamped(position)
        ) or _expression(analysis, position)
        return None if found is None else Hover(*found)
    if under.at is At.OPCODE or _is_in_name(analysis, under):
        parts = _opcode(analysis, under)
        return None if parts is None else Hover(under.range, *parts)
    if under.at is At.NAME:
        text = _name(analysis, under, shows_images=shows_images)
    else:
        text = _TEXTS[under.at](analysis, under)
    place = under.range
    if under.at is At.NUMBER and is_negative(under):
        place = Range(Position(place.start.line, place.start.column - 1), place.end)
    return Hover(place, text) if text else None


def _expression(analysis: Analysis, position: Position) -> tuple[Range, Markdown] | None:
    """Returns the constant expression whose operator is at a position, with its value."""
    from ptx_ls.features.hover.numbers.describe_expression import expression_at

    statement = statement_at(analysis.document, position)
    return None if statement is None else expression_at(statement, position)


def is_local(analysis: Analysis, position: Position) -> bool:
    """Whether the hover at a position depends only on its function and the module's header."""
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
        elif declared.region != region or declared.symbol.kind in FUNCTION_KINDS:
            return False
    return True


def _of_statement(statement: Statement) -> frozenset[str]:
    """Returns the words of a statement that are not names: opcode, modifiers, `_`, `inlined_at`."""
    parts = opcode_parts(statement.parsed.tree) if statement.record.kind is Kind.INSTRUCTION else ()
    return frozenset({"_", *describe_debug.WORDS, *(text for text, _, _ in parts)})


def _opcode(analysis: Analysis, under: Cursor) -> tuple[Markdown, Markdown, Markdown] | None:
    judged = analysis.instruction(under.statement)
    if judged is None:
        return None
    return describe_instruction.instruction(analysis, judged)


def _is_in_name(analysis: Analysis, under: Cursor) -> bool:
    """Whether the cursor is on a part of the name of a form, as `.async` of `cp.async`."""
    judged = analysis.instruction(under.statement) if under.at is At.MODIFIER else None
    if judged is None:
        return False
    from ptx_ls.features.hover.instructions.modifier_meaning import is_in_name

    return is_in_name(judged, under.number)


def _modifier(analysis: Analysis, under: Cursor) -> Markdown | None:
    judged = analysis.instruction(under.statement)
    if judged is None or judged.instruction is None:
        return None
    from ptx_ls.features.hover.instructions import describe_modifier

    return describe_modifier.modifier(judged, under.number)


def _name(analysis: Analysis, under: Cursor, *, shows_images: bool) -> Markdown | None:
    of_texture = in_texture(under)
    if of_texture:
        return of_texture
    declared = analysis.lookup(under.text, under.range.start)
    if declared is not None:
        text = describe_symbol.symbol(analysis, declared, under.text, under.range.start)
        is_label = declared.symbol.kind is SymbolKind.LABEL
        of_operand = markup.NOTHING if is_label else role(analysis, under)
        matrix = _of_matrix(analysis, under, shows_images=shows_images)
        return markup.paragraphs(matrix, text) if matrix else markup.paragraphs(text, of_operand)
    if under.statement.record.kind is Kind.FUNCTION_DECLARATION:
        return describe_symbol.parameter_of_prototype(under.statement.text, under.text)
    register = analysis.special_register(under.text)
    if register is not None:
        has_component = under.whole.removeprefix(under.text) in COMPONENTS
        name = under.whole if has_component else under.text
        return describe_reference.special_register(analysis, register, name)
    return describe_directive.predefined(under.text)


def _matrix_instruction(analysis: Analysis, under: Cursor) -> JudgedInstruction | None:
    """Returns the matrix instruction that the name under the cursor is an operand of; else None.

    The opcode is looked up first, because judging an instruction takes much longer.
    """
    record = under.statement.record
    if under.at is not At.NAME or not isinstance(record, Shape) or not _has_matrices(record.name):
        return None
    return analysis.instruction(under.statement)


def _has_matrices(opcode: str) -> bool:
    return bool(entries_of(opcode) or modes_of(opcode))


def _of_matrix(analysis: Analysis, under: Cursor, *, shows_images: bool) -> Markdown:
    """Explains a register or descriptor of a matrix instruction; "" for other instructions."""
    judged = _matrix_instruction(analysis, under)
    if judged is None:
        return markup.NOTHING
    found = describe_matrix.fragment(judged, under.range.start)
    if found is None:
        return describe_matrix.descriptor_links(judged, under.range.start)
    return describe_matrix.elements(*found, is_drawn=shows_images)


def picture(analysis: Analysis, position: Position) -> str:
    """Returns an image, as a `data:` URI, of the matrix that the register at a position belongs to.

    Returns "" if there is none. Not every client shows images; for others, a hover has a table.
    """
    under = cursor(analysis, position)
    judged = _matrix_instruction(analysis, under) if under is not None else None
    if under is None or judged is None:
        return ""
    found = describe_matrix.fragment(judged, under.range.start)
    if found is None:
        return ""
    from ptx_ls.features.hover.fragment_picture import data_uri

    return data_uri(*found)


def _selector(analysis: Analysis, under: Cursor) -> Markdown | None:
    name = under.whole.partition(".")[0]
    register = analysis.special_register(name)
    if register is not None:
        return describe_reference.special_register(analysis, register, name + under.text)
    part = _ELEMENTS.get(under.text)
    if part is None:
        return markup.filled("{}: a part of the operand before it", markup.code(under.text))
    declared = analysis.lookup(name, under.range.start)
    if declared is None:
        return markup.filled("{}: the {} element of a vector", markup.code(under.text), part)
    element, vector, kind = map(markup.code, (name + under.text, name, declared.symbol.type))
    return markup.filled("{}: {} element of {}, {}", element, part, vector, kind)


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


def _string(_analysis: Analysis, under: Cursor) -> Markdown | None:
    if under.statement.text.startswith(".file"):
        return describe_debug.of_file(under)
    before = under.tokens_before()
    while before and (before[-1].type is STRING or before[-1].string == ","):
        before.pop()
    is_pragma = bool(before) and before[-1].string == ".pragma"
    return describe_directive.pragma(under.text) if is_pragma else None


_TEXTS: Final = {
    At.MODIFIER: _modifier,
    At.SELECTOR: _selector,
    At.NUMBER: number,
    At.DOTTED: _dotted,
    At.WORD: _word,
    At.STRING: _string,
}
