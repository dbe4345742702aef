"""A long line of statements, laid out statement by statement.

Its tokens at once would take a hundred times the memory of the text. A line with comments is not
laid out here: they may belong to the statement before or after them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.formatting import items
from ptx_ls.formatting.comparison import is_same
from ptx_ls.formatting.items import Statement
from ptx_ls.formatting.layout import lay_out
from ptx_ls.formatting.row import Role, Row
from ptx_ls.syntax.record import Kind, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.formatting.memo import Memo
    from ptx_ls.formatting.quick import Quick
    from ptx_ls.formatting.style import Style
    from ptx_ls.syntax.record import Piece, Record

_MIN_LENGTH: Final = 4_000
"""Characters of the shortest long line; shorter ones are remembered (`memo.py`)."""
_BLANKS: Final = " \t\r\n\f\v"
_BRACES: Final = {Kind.OPEN: Role.OPEN, Kind.CLOSE: Role.CLOSE}
_NAMED: Final = (Kind.LABEL, Kind.DIRECTIVE)
"""A label and a list that it names, which may have to be joined."""

Follow: TypeAlias = "Callable[[Kind, int], tuple[int, Role | None]]"
"""Takes a statement's kind and number; its level, and its role if the level decides that."""


def rows(
    lines: Sequence[str], record: Record, follow: Follow, quick: Quick, memo: Memo, style: Style
) -> list[list[Row]] | None:
    """The rows of each statement of a long line; None if it has to be laid out as a whole."""
    line = lines[0]
    if len(lines) > 1 or len(line) < _MIN_LENGTH or "/" in line or not isinstance(record, Run):
        return None
    if record.problems or line.endswith("\r"):
        return None
    result: list[list[Row]] = []
    before: Kind | None = None
    at = 0
    for number, piece in enumerate(record.pieces):
        (row, start), (last_row, stop), kind = piece.start, piece.end, piece.record.kind
        is_apart = row == last_row == 0 and not line[at:start].strip(_BLANKS)
        if not is_apart or (before, kind) == _NAMED:
            return None
        level, role = follow(kind, number)
        found = _rows(line[start:stop], piece, (level, role), quick, memo, style)
        if found is None:
            return None
        result.append(found)
        before, at = kind, stop
    return result if not line[at:].strip(_BLANKS) else None


def _rows(
    text: str, piece: Piece, place: tuple[int, Role | None], quick: Quick, memo: Memo, style: Style
) -> list[Row] | None:
    """The rows of one statement; None if it has to stay as it is."""
    kind, (level, role) = piece.record.kind, place
    if kind in _BRACES:
        return [Row(level, role or _BRACES[kind], text)]
    found: Row | str | None = None
    if kind is Kind.INSTRUCTION:
        found = quick.instruction(text, level)
    else:  # of a label, the level is that of its own row, one to the left of its statement
        found = quick.row(text, kind, level + 1 if kind is Kind.LABEL else level)
    if found is not None:
        return [Row(level, Role.CODE, found) if isinstance(found, str) else found]
    result = _remembered(text, piece, level, memo, style)
    if result is not None and role is not None:
        return [result[0]._replace(role=role), *result[1:]]
    return result


def _remembered(text: str, piece: Piece, level: int, memo: Memo, style: Style) -> list[Row] | None:
    """The rows of a statement, read token by token if none is known that differs in digits only."""
    key = memo.key(text, level)
    known = memo.get(key) if key else None
    if known is not None:
        (result,), _ = known
        return result
    statements = items.read((text,), piece.record)
    if statements is None or len(statements) != 1 or not isinstance(statements[0], Statement):
        return None
    result = lay_out(statements[0], level, style)
    if not is_same((text,), [result], piece.record):
        return None
    if key:
        memo.put(key, [result], level)
    return result
