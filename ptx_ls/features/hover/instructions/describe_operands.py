"""Explains the functions and parameters that operands name, and the parts of addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features import markup
from ptx_ls.features.hover import describe_function, memory_layout
from ptx_ls.features.markup import Markdown
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.names import shortened_name

if TYPE_CHECKING:
    from ptx_ls.isa.notation.table import OperandRow
    from ptx_ls.semantics.analysis import Analysis, JudgedInstruction


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
                name = shortened_name(identifier.name)
                found.append(markup.filled("{} is {}.", markup.code(name), number))
            elif facts.kind != SymbolKind.PARAMETER:
                is_function = facts.kind == SymbolKind.FUNCTION
                text = declared.symbol.text.rstrip("{ ")
                text = describe_function.head(analysis, declared) if is_function else text
                found.append(markup.block(text))
    return markup.paragraphs(*dict.fromkeys(found))


_NAMED: Final = (
    SymbolKind.PARAMETER,
    SymbolKind.FUNCTION,
    SymbolKind.PROTOTYPE,
    SymbolKind.CALL_TARGETS,
    SymbolKind.BRANCH_TARGETS,
)
