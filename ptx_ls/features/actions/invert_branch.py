"""Inverts a guarded branch that another branch follows; one of them may then be redundant.

Source: PTX ISA, "Predicated Execution" and "Control Flow Instructions: bra".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at, statements_on
from ptx_ls.features.actions.action import Action, ActionKind, removal
from ptx_ls.source import Range, TextEdit
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.guards import guard_of
from ptx_ls.syntax.labels import label_at
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import WITHOUT_STATEMENT, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.statement import Statement

_MAX_LINES_TO_NEXT: Final = 20
"""Number of lines to search below a statement for the next one, and of statements for the label."""
_BRANCHES: Final = ("bra", "bra.uni")
_LOCATION: Final = ".loc"


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """Yields `@!p bra B; A:` for `@p bra A; bra B; A:` if the cursor is at the first branch.

    If `A:` does not follow, yields `@!p bra B; bra A;`.
    """
    document = analysis.document
    first = statement_at(document, selection.start)
    guard = guard_of(first.text) if first is not None else None
    if first is None or guard is None or opcode_of(first.text) != "bra":
        return
    second = _next(document, first)
    if second is None or guard_of(second.text) is not None:
        return
    taken, other = _target(first), _target(second)
    if taken is None or other is None or taken.text == other.text:
        return
    text = f"@{'' if guard.is_negated else '!'}{guard.name} bra {other.text};"
    if _is_followed_by(document, second, taken.text):
        rest = TextEdit(removal(document, second), "")
    else:
        rest = TextEdit(second.range(other.start, other.end), taken.text)
    edits = [TextEdit(Range(first.start, first.end), text), rest]
    yield Action(f"Invert the branch: `{text}`", ActionKind.REWRITE, lambda: edits)


def _target(statement: Statement) -> OperandSyntax | None:
    """Returns the label of a `bra` without comments; None for any other statement."""
    is_branch = statement.record.kind is Kind.INSTRUCTION and "/" not in statement.text
    if not is_branch or opcode_of(statement.text) not in _BRANCHES:
        return None
    operands, _ = statement.parts()
    is_plain = len(operands) == 1 and operands[0].form is OperandForm.IDENTIFIER
    return operands[0] if is_plain else None


def _is_followed_by(document: Document, statement: Statement, label: str) -> bool:
    """Whether a label follows a statement, with only other labels and `.loc` in between."""
    each = _next(document, statement)
    for _ in range(_MAX_LINES_TO_NEXT):
        if each is None:
            break
        is_label = each.record.kind is Kind.LABEL
        if is_label and label_at(each.text) == label:
            return True
        if not is_label and not each.text.startswith(_LOCATION):
            break
        each = _next(document, each)
    return False


def _next(document: Document, statement: Statement) -> Statement | None:
    """Returns the next statement; None if there is none nearby."""
    stop = min(statement.end.line + _MAX_LINES_TO_NEXT + 1, len(document.lines))
    for line in (statement.start.line, *range(statement.end.line + 1, stop)):
        if document.records[line].kind not in WITHOUT_STATEMENT:
            for each in statements_on(document, line):
                if each.start >= statement.end:
                    return each
    return None
