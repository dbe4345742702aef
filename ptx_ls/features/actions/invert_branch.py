"""Two branches in a row under the opposite guard: as one, where one of them leads just behind.

Source: PTX ISA, "Predicated Execution" and "Control Flow Instructions: bra".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at, statements_on
from ptx_ls.features.actions.action import Action, ActionKind
from ptx_ls.source import Position, Range, TextEdit
from ptx_ls.syntax.names import NAME_CHARACTERS, OF_NAMES
from ptx_ls.syntax.offsets import place_of
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.statement import Statement

_MAX_LINES_TO_NEXT: Final = 20
"""Lines behind a branch in which the next statements are looked for."""
_GUARDED: Final = re.compile(
    rf"@(?P<not>!?)(?P<guard>{NAME_CHARACTERS})\s++bra\s++(?P<label>[{OF_NAMES}]++)\s*+;", re.ASCII
).fullmatch
_PLAIN: Final = re.compile(rf"bra(?:\.uni)?\s++(?P<label>[{OF_NAMES}]++)\s*+;", re.ASCII).fullmatch
_LOCATION: Final = ".loc"
_EMPTY: Final = (Kind.BLANK, Kind.COMMENT)


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """`@p bra A; bra B; A:` as `@!p bra B; A:` where the cursor is at the first branch.

    Where neither leads to what follows, they change places: `@!p bra B; bra A;`.
    """
    document = analysis.document
    first = statement_at(document, selection.start)
    guarded = _GUARDED(first.text) if first is not None else None
    if first is None or guarded is None:
        return
    second = _next(document, first)
    plain = _PLAIN(second.text) if second is not None else None
    if second is None or plain is None or plain["label"] == guarded["label"]:
        return
    sign = "" if guarded["not"] else "!"
    text = f"@{sign}{guarded['guard']} bra {plain['label']};"
    if _is_just_behind(document, second, guarded["label"]):
        behind = TextEdit(_removed(document, second), "")
    else:
        start, end = (place_of(second.text, offset) for offset in plain.span("label"))
        behind = TextEdit(second.range(start, end), guarded["label"])
    edits = [TextEdit(Range(first.start, first.end), text), behind]
    yield Action(f"Invert the branch: `{text}`", ActionKind.REWRITE, lambda: edits)


def _is_just_behind(document: Document, statement: Statement, label: str) -> bool:
    """Whether a label stands behind a statement, with nothing but labels and `.loc` between."""
    each = _next(document, statement)
    for _ in range(_MAX_LINES_TO_NEXT):
        if each is None:
            break
        is_label = each.record.kind is Kind.LABEL
        if is_label and each.text.partition(":")[0].strip() == label:
            return True
        if not is_label and not each.text.startswith(_LOCATION):
            break
        each = _next(document, each)
    return False


def _next(document: Document, statement: Statement) -> Statement | None:
    """The statement behind another one."""
    for each in statements_on(document, statement.start.line):
        if each.start >= statement.end:
            return each
    begin = statement.end.line + 1
    for line in range(begin, min(begin + _MAX_LINES_TO_NEXT, len(document.lines))):
        if document.records[line].kind not in _EMPTY:
            for each in statements_on(document, line):
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
