"""Remembers layouts, so that units that differ only in digits are formatted just once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.formatting.row import LayoutRow
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.line_parts import split_at_numbers

if TYPE_CHECKING:
    from ptx_ls.formatting.style import FormatStyle

_DIGIT_MARK: Final = "\0"
_FIELD_MARK: Final = "\1"
_MAX_TEXT_LENGTH: Final = 4_000
"""Maximum number of characters of a unit that is remembered; longer ones are seldom repeated."""
_MAX_TEXTS: Final = 20_000


class Key(NamedTuple):
    """A unit without its digits, its level, and the digits."""

    form: tuple[str, int]
    digits: list[str]

    @property
    def long_form(self) -> tuple[str, int, tuple[int, ...]]:
        """The form, and the lengths of numbers, on which the breaks of a long statement depend."""
        return (*self.form, tuple(map(len, self.digits)))


class _Template(NamedTuple):
    """Alternating texts and numbers of rows; the rows by statement; and the level after them."""

    parts: list[str]
    statements: list[list[LayoutRow]]
    level: int

    def filled(self, digits: list[str]) -> list[list[LayoutRow]]:
        """Returns the rows with `digits` in place of the template's numbers."""
        parts = self.parts.copy()
        parts[1::2] = digits
        fields = iter("".join(parts).split(_FIELD_MARK))
        return [
            [_with_texts(row, next(fields), next(fields), next(fields), next(fields)) for row in it]
            for it in self.statements
        ]


class Memo:
    """Layouts of units by their text without digits."""

    __slots__ = ("_found", "_style")

    def __init__(self, style: FormatStyle) -> None:
        self._found: dict[tuple[object, ...], _Template] = {}
        self._style = style

    def key(self, text: str, level: int) -> Key | None:
        """Returns the key of a unit; None if it is not remembered."""
        if len(text) > _MAX_TEXT_LENGTH or _DIGIT_MARK in text or _FIELD_MARK in text:
            return None
        parts = split_at_numbers(text)
        return Key((_DIGIT_MARK.join(parts[::2]), level), parts[1::2])

    def get(self, key: Key) -> tuple[list[list[LayoutRow]], int] | None:
        """Returns the rows of a unit, by statement, and the level after it; None if unknown."""
        template = self._found.get(key.form)
        if template is not None:
            found = template.filled(key.digits)
            if self._fit(found):
                return found, template.level
        template = self._found.get(key.long_form)
        return (template.filled(key.digits), template.level) if template is not None else None

    def put(self, key: Key, statements: list[list[LayoutRow]], level: int) -> None:
        """Remembers the rows of a unit."""
        if len(self._found) >= _MAX_TEXTS:
            return
        texts = [
            text
            for rows in statements
            for row in rows
            for text in (row.guard, row.head, row.operands, row.comment)
        ]
        parts = split_at_numbers(_FIELD_MARK.join(texts))
        if parts[1::2] == key.digits:
            form = key.form if self._fit(statements) else key.long_form
            self._found[form] = _Template(parts, statements, level)

    def _fit(self, statements: list[list[LayoutRow]]) -> bool:
        """Whether each statement fits on one line, so that none is broken for its width."""
        return all(self._width(rows) <= self._style.width for rows in statements)

    def _width(self, rows: list[LayoutRow]) -> int:
        first = rows[0]
        n_head = max(len(first.guard) + len(first.head) + 2, self._style.operand_column)
        margin = first.level * self._style.indent
        return margin + n_head + sum([len(row.operands) + 1 for row in rows])


def _with_texts(row: LayoutRow, guard: str, head: str, operands: str, comment: str) -> LayoutRow:
    return LayoutRow(row.level, row.role, operands, head, guard, comment, row.n_blank)
