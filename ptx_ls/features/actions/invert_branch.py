"""A branch over a branch, as one branch under the opposite guard.

Source: PTX ISA, "Predicated Execution" and "Control Flow Instructions: bra".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.features.actions.action import Action, ActionKind
from ptx_ls.source import Position, Range, TextEdit
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.document import Document, Statement

_FAR: Final = 20
"""Lines behind a branch in which the next statements are looked for."""
_GUARDED: Final = re.compile(
    r"@(?P<not>!?)(?P<guard>[%$\w]++)\s++bra\s++(?P<label>[$\w]++)\s*+;", re.ASCII
).fullmatch
_PLAIN: Final = re.compile(r"bra(?:\.uni)?\s++(?P<label>[$\w]++)\s*+;", re.ASCII).fullmatch
_EMPTY: Final = (Kind.BLANK, Kind.COMMENT)


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """`@p bra A; bra B; A:` as `@!p bra B; A:` where the cursor is at the first branch."""
    document = analysis.document
    first = document.statement_at(selection.start)
    guarded = _GUARDED(first.text) if first is not None else None
    if first is None or guarded is None:
        return
    second, third = _next(document, first), None
    plain = _PLAIN(second.text) if second is not None else None
    if second is not None and plain is not None:
        third = _next(document, second)
    if second is None or plain is None or third is None or third.record.kind is not Kind.LABEL:
        return
    if third.text.partition(":")[0].strip() != guarded["label"]:
        return
    sign = "" if guarded["not"] else "!"
    text = f"@{sign}{guarded['guard']} bra {plain['label']};"
    edits = [
        TextEdit(Range(first.start, first.end), text),
        TextEdit(_removed(document, second), ""),
    ]
    yield Action(f"Invert the branch: `{text}`", ActionKind.REWRITE, lambda: edits)


def _next(document: Document, statement: Statement) -> Statement | None:
    """The statement behind another one."""
    for each in document.statements(statement.start.line):
        if each.start >= statement.end:
            return each
    begin = statement.end.line + 1
    for line in range(begin, min(begin + _FAR, len(document.lines))):
        if document.records[line].kind not in _EMPTY:
            for each in document.statements(line):
                if each.start >= statement.end:
                    return each
    return None


def _removed(document: Document, statement: Statement) -> Range:
    """The statement, with its line where it has one of its own."""
    line = statement.start.line
    lines = document.lines
    is_own = not lines[line][: statement.start.column].strip()
    is_last = not lines[statement.end.line][statement.end.column :].strip()
    if is_own and is_last and statement.end.line + 1 < len(lines):
        return Range(Position(line, 0), Position(statement.end.line + 1, 0))
    return Range(statement.start, statement.end)
