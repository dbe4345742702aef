"""Lays out a long line of statements, one statement at a time.

All tokens at once would take a hundred times the memory of the text. A line with comments is not
formatted here, as these may belong to the statement before or after them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.formatting import items
from ptx_ls.formatting.comparison import is_same
from ptx_ls.formatting.items import LayoutStatement
from ptx_ls.formatting.layout import lay_out
from ptx_ls.formatting.memo import Memo
from ptx_ls.formatting.quick import Quick
from ptx_ls.formatting.row import WHITE_SPACE, LayoutRow, Role
from ptx_ls.syntax.record import Kind, MultiLine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.formatting.style import FormatStyle
    from ptx_ls.syntax.record import Piece, Record

_MIN_LENGTH: Final = 4_000
"""Minimum length, in characters, of a long line; shorter ones are remembered (`memo.py`)."""
_BRACES: Final = {Kind.OPEN: Role.OPEN, Kind.CLOSE: Role.CLOSE}
_NAMED: Final = (Kind.LABEL, Kind.DIRECTIVE)
"""A label and the list that it names, which may have to be joined."""

Follow: TypeAlias = "Callable[[Kind, int], tuple[int, Role | None]]"
"""Maps a statement's kind and number to its level, and its role if the level decides that."""
Margin: TypeAlias = "Callable[[int], str]"
"""Maps a level to the white space before its rows."""


class LongLines:
    """Lays out long lines according to a style."""

    __slots__ = ("_memo", "_quick", "_style")

    def __init__(self, style: FormatStyle) -> None:
        self._memo = Memo(style)
        self._quick = Quick(style)
        self._style = style

    def rows(
        self, lines: Sequence[str], record: Record, follow: Follow, margin: Margin
    ) -> list[LayoutRow | str] | None:
        """Returns the rows of a long line's statements; None if it must be formatted as a whole.

        Code without alignment is returned as a string, with its margin.
        """
        line = lines[0]
        if (
            len(lines) > 1
            or len(line) < _MIN_LENGTH
            or "/" in line
            or not isinstance(record, MultiLine)
        ):
            return None
        if record.problems or line.endswith("\r"):
            return None
        result: list[LayoutRow | str] = []
        before: Kind | None = None
        at = 0
        for number, piece in enumerate(record.pieces):
            (row, start), (last_row, stop), kind = piece.start, piece.end, piece.record.kind
            is_apart = row == last_row == 0 and not line[at:start].strip(WHITE_SPACE)
            if not is_apart or (before, kind) == _NAMED:
                return None
            level, role = follow(kind, number)
            text = line[start:stop]
            code = self._quick.instruction(text, level) if kind is Kind.INSTRUCTION else None
            if isinstance(code, str):
                result.append(margin(level) + code)
            else:
                found = [code] if code else self._rows(text, piece, (level, role))
                if found is None:
                    return None
                result += found
            before, at = kind, stop
        return result if not line[at:].strip(WHITE_SPACE) else None

    def _rows(
        self, text: str, piece: Piece, place: tuple[int, Role | None]
    ) -> list[LayoutRow] | None:
        """Returns the rows of one statement; None if it must not change."""
        kind, (level, role) = piece.record.kind, place
        if kind in _BRACES:
            return [LayoutRow(level, role or _BRACES[kind], text)]
        # A label is on its own row, one level to the left of its statement.
        row = self._quick.row(text, kind, level + 1 if kind is Kind.LABEL else level)
        if row is not None:
            return [row]
        result = self._remembered(text, piece, level)
        if result is not None and role is not None:
            return [result[0]._replace(role=role), *result[1:]]
        return result

    def _remembered(self, text: str, piece: Piece, level: int) -> list[LayoutRow] | None:
        """Returns the rows of a statement, from a known one with other digits if possible."""
        key = self._memo.key(text, level)
        known = self._memo.get(key) if key else None
        if known is not None:
            (result,), _ = known
            return result
        statements = items.read((text,), piece.record)
        if (
            statements is None
            or len(statements) != 1
            or not isinstance(statements[0], LayoutStatement)
        ):
            return None
        result = lay_out(statements[0], level, self._style)
        if not is_same((text,), [result], piece.record):
            return None
        if key:
            self._memo.put(key, [result], level)
        return result
