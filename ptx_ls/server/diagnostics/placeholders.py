"""The placeholders of an instruction that a completion has inserted.

`add.s32 d, a, b;` names operands as the manual does, until the user replaces them. That nothing
declares these names, or that the module has other things with these names, is not a mistake of the
user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statements_on
from ptx_ls.features.completion.snippets.operand_snippet import of_operands
from ptx_ls.features.completion.snippets.snippet import names_of, plain
from ptx_ls.lint.results.known_diagnostics import KnownDiagnostics
from ptx_ls.lint.results.result import Result
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of, opcode_of

if TYPE_CHECKING:
    from ptx_ls.document.document import Document
    from ptx_ls.source import Diagnostic

_BRACKETS: Final = "[]{}() "
"""Characters around a placeholder that are part of its operand."""


class Placeholders(NamedTuple):
    """The names of placeholders in the statements on a line."""

    line: int
    names: frozenset[str]


def inserted_on(document: Document, line: int) -> Placeholders | None:
    """Returns the placeholders on a line whose instruction is as a completion inserts it."""
    context = Analysis(document).context
    names: set[str] = set()
    for statement in statements_on(document, line):
        opcode = opcode_of(statement.text)
        name = opcode.partition(".")[0]
        template = of_operands(name, tuple(modifiers_of(opcode)), context)
        if template and statement.text.endswith(f"{opcode}{plain(template)}"):
            names.update(names_of(template))
    return Placeholders(line, frozenset(names)) if names else None


def without(
    known: KnownDiagnostics, document: Document, placeholders: Placeholders
) -> KnownDiagnostics:
    """Returns diagnostics without those of which each place is a placeholder."""
    line, text = placeholders.line, document.lines[placeholders.line]

    def is_shown(one: Diagnostic) -> bool:
        places = [single.range for single in one.singles] or [one.range]
        return any(
            place.start.line != line
            or place.end.line != line
            or text[place.start.column : place.end.column].strip(_BRACKETS)
            not in placeholders.names
            for place in places
        )

    results: list[tuple[Position, Result]] = []
    for start, result in known.results:
        if start.line > line:
            results.append((start, result))
            continue
        found = result.at(start, known.header, known.declared)
        shown = [one for one in found if is_shown(one)]
        if len(shown) == len(found):
            results.append((start, result))
        else:
            results.append((Position(0, 0), Result(shown)))
    return KnownDiagnostics(tuple(results), known.header, known.declared)
