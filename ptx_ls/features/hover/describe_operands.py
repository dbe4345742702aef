"""Explains the operands of an instruction: their roles, declared types and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features import markup
from ptx_ls.features.hover import describe_function, literals, memory_layout
from ptx_ls.features.markup import Markdown
from ptx_ls.semantics.instructions.operands import SPECIAL
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.operands import OperandForm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa.notation.table import OperandRow
    from ptx_ls.semantics.analysis import Analysis, JudgedInstruction
    from ptx_ls.syntax.operands import OperandSyntax

_HEADER: Final = tuple(map(markup.own, ("operand", "here", "declared", "what it is")))


def table(judged: JudgedInstruction) -> Markdown:
    """Returns a table of the operands: the manual's name, the text, the declared type, the role."""
    found, verdict = judged.instruction, judged.verdict
    if found is None or verdict is None or not judged.operands:
        return markup.NOTHING
    rows = []
    for index, operand in enumerate(judged.operands):
        spec = verdict.operand_specs[index] if index < len(verdict.operand_specs) else None
        role = spec.role if spec is not None else ""
        doc = found.operand_doc(spec.name) if spec is not None else ""
        text = f"{role}: {doc}" if doc else role
        rows.append(_row(judged, operand, spec.name if spec else "", text))
        parts = parts_of(spec.row, len(operand.elements)) if spec is not None else ()
        rows += [
            _row(judged, element, part.name, found.operand_doc(part.name))
            for element, part in zip(operand.elements, parts, strict=False)
        ]
    return markup.table(_HEADER, rows)


def parts_of(row: OperandRow, count: int) -> tuple[OperandRow, ...]:
    """Returns the parts of a compound address with `count` elements; none if they do not fit."""
    parts: tuple[OperandRow, ...] = row.parts
    if not parts:
        return ()
    if len(parts) > count:
        parts = tuple(part for part in parts if not part.optional)
    return parts if len(parts) == count > 1 else ()


def names(analysis: Analysis, judged: JudgedInstruction) -> Markdown:
    """Describes the parameters and functions that the operands name."""
    found = []
    for identifier, facts in zip(judged.identifiers, judged.facts, strict=True):
        if facts.kind in _NAMED:
            position = judged.statement.position(identifier.start)
            declared = analysis.lookup(identifier.name, position)
            if declared is None:
                continue
            number = memory_layout.of_parameter(analysis, declared)
            if number:
                found.append(markup.filled("{} is {}.", markup.code(identifier.name), number))
            elif facts.kind != SymbolKind.PARAMETER:
                is_function = facts.kind == SymbolKind.FUNCTION
                text = declared.symbol.text.rstrip("{ ")
                text = describe_function.head(analysis, declared) if is_function else text
                found.append(markup.block(text))
    return markup.paragraphs(*dict.fromkeys(found))


def _row(judged: JudgedInstruction, operand: OperandSyntax, name: str, text: str) -> list[str]:
    here = markup.code(" ".join(operand.text.split()))
    return [markup.code(name) if name else "", here, _declared(judged, operand), markup.own(text)]


def _declared(judged: JudgedInstruction, operand: OperandSyntax) -> Markdown:
    """Lists the declared types of the names in an operand, and values of encoded literals."""
    shown: list[str] = []
    for part in _parts(operand):
        if part.identifier >= 0:
            facts = judged.facts[part.identifier]
            is_memory = facts.space not in ("", ".reg")
            text = f"{facts.space} {facts.type}" if is_memory else facts.type
            is_special = facts.kind == SPECIAL
            text = text.rpartition(" ")[2] if is_special else text or facts.kind
            is_vector = facts.vector_size > 1 and not (is_special and "." in part.text)
            vector = f".v{facts.vector_size} " if is_vector else ""
            if text:
                shown.append(markup.code(vector + text))
        elif part.form in _LITERALS:
            value = literals.short(part.text)
            shown += [markup.filled("= {}", value)] if value else []
    return markup.joined(", ", dict.fromkeys(shown))


_NAMED: Final = (
    SymbolKind.PARAMETER,
    SymbolKind.FUNCTION,
    SymbolKind.PROTOTYPE,
    SymbolKind.CALL_TARGETS,
    SymbolKind.BRANCH_TARGETS,
)
_LITERALS: Final = (OperandForm.INTEGER, OperandForm.FLOAT32, OperandForm.FLOAT64)


def _parts(operand: OperandSyntax) -> Iterator[OperandSyntax]:
    """Yields an operand and all its parts."""
    yield operand
    for element in operand.elements:
        yield from _parts(element)
    if operand.paired is not None:
        yield from _parts(operand.paired)
