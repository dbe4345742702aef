"""Lays out one statement in rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.formatting.heads import head_breaks
from ptx_ls.formatting.items import CommentPlacement
from ptx_ls.formatting.row import LayoutRow, Role
from ptx_ls.formatting.spacing import blanks, guard_length, head_length
from ptx_ls.formatting.wrapping import MIN_COMMAS, Extents, WrapLimits, breaks
from ptx_ls.syntax.record import FUNCTION_HEADS, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.formatting.items import LayoutItem, LayoutStatement
    from ptx_ls.formatting.style import FormatStyle

_WRAPPED: Final = (Kind.INSTRUCTION, Kind.DECLARATION, Kind.DIRECTIVE)
_ROLES: Final = {Kind.LABEL: Role.LABEL, Kind.OPEN: Role.OPEN, Kind.CLOSE: Role.CLOSE}
_TIGHT: Final = (",", ";", ":")


def lay_out(statement: LayoutStatement, level: int, style: FormatStyle) -> list[LayoutRow]:
    """Returns the rows of a statement at a level of indentation."""
    kind = statement.kind
    tokens = [item for item in statement.items if item.kind]
    spaces = blanks(tokens, kind)
    n_head = head_length(tokens, kind)
    broken = _breaks(tokens, spaces, kind, (level, n_head), style)
    writer = _Writer(level, _ROLES.get(kind, Role.CODE), n_head)
    writer.write(statement.items, spaces, broken)
    rows = writer.rows
    if writer.head_stop:
        rows[0] = _split(rows[0], tokens, writer.head_stop, kind)
    if kind is Kind.FUNCTION:
        rows[0] = rows[0]._replace(role=Role.HEAD)
    if kind in (Kind.FUNCTION, Kind.SECTION):
        rows[-1] = rows[-1]._replace(role=Role.OPEN)
    return rows


def _breaks(
    tokens: Sequence[LayoutItem],
    spaces: Sequence[str],
    kind: Kind,
    at: tuple[int, int],
    style: FormatStyle,
) -> dict[int, int]:
    """Returns the tokens that begin a row, each with its level in the statement."""
    level, n_head = at
    margin = level * style.indent
    extents = Extents(tokens, spaces)
    if kind in FUNCTION_HEADS:
        return head_breaks(tokens, extents, style.width - margin)
    if kind is Kind.SECTION:
        return {len(tokens) - 1: 0}
    if kind not in _WRAPPED or sum(token.text == "," for token in tokens) < MIN_COMMAS:
        return {}
    start = n_head or _after_qualifiers(tokens)
    if start >= len(tokens):
        return {}
    column = margin + max(extents.begins[start], style.operand_column if n_head else 0)
    if column + extents.width(start, len(tokens)) <= style.width:
        return {}
    limits = WrapLimits(margin + style.indent, style.width)
    found: set[int] = set()
    if kind is Kind.INSTRUCTION:  # its operands begin on a new line, so that they stay together
        found.add(start)
        column = limits.margin
    found |= breaks(tokens, extents, (start, len(tokens)), column, limits)
    return dict.fromkeys(found, 1)


def _after_qualifiers(tokens: Sequence[LayoutItem]) -> int:
    """Returns the index after `.global .align 4 .b8` or `name: .calltargets`."""
    for index in range(1, len(tokens)):
        before = tokens[index - 1].text
        if tokens[index].kind in ("word", "reg") and before != ".align":
            return index
    return 1


def _split(row: LayoutRow, tokens: Sequence[LayoutItem], stop: int, kind: Kind) -> LayoutRow:
    """Separates the part before the operands; `stop` is the column after it."""
    text = row.operands
    n_guard = guard_length(tokens) if kind is Kind.INSTRUCTION else 0
    guard = "".join([token.text for token in tokens[:n_guard]])
    head = text[len(guard) + 1 : stop] if guard else text[:stop]
    operands = text[stop:].lstrip(" ")
    if operands == ";":
        head, operands = "", f"{head};"
    return row._replace(guard=guard, head=head, operands=operands)


class _Writer:
    """Writes tokens and comments into rows.

    `head_stop` is the column after the first `n_head` tokens, 0 if they are not on one row.
    """

    def __init__(self, level: int, role: Role, n_head: int) -> None:
        self.rows: list[LayoutRow] = []
        self.head_stop = 0
        self._n_head = n_head
        self._level = level
        self._role = role
        self._offset = 0
        self._text = ""
        self._comment = ""
        self._prefix = ""
        self._is_plain = True

    def write(
        self, items: Sequence[LayoutItem], spaces: Sequence[str], broken: dict[int, int]
    ) -> None:
        """Writes all items of a statement; `broken` are the tokens that begin rows."""
        number = 0
        must_break = False
        for item in items:
            if item.kind:
                offset = broken.get(number, 1 if must_break else None)
                if number and offset is not None:
                    self._end_row()
                    self._offset = offset
                self._add(item.text, spaces[number], number)
                must_break = False
                number += 1
            elif item.place is CommentPlacement.INLINE:
                self._prefix = item.text
            elif item.place is CommentPlacement.TRAILING:
                self._comment = f"{self._comment} {item.text}".lstrip()
                must_break = True
            else:
                self._end_row()
                level = self._level + broken.get(number, 1)
                self.rows.append(LayoutRow(level, Role.COMMENT, item.text))
                must_break = True
        self._end_row()

    def _add(self, token: str, space: str, number: int) -> None:
        if number == self._n_head and number and not self.rows and self._is_plain and self._text:
            self.head_stop = len(self._text)
        if self._prefix:
            self._is_plain = False
            blank = " " if self._text else ""
            after = "" if token in _TIGHT else " "
            token, space = f"{self._prefix}{after}{token}", blank
            self._prefix = ""
        self._text += (space if self._text else "") + token

    def _end_row(self) -> None:
        if self._text:
            level = self._level + self._offset
            self.rows.append(LayoutRow(level, self._role, self._text, comment=self._comment))
        self._text = self._comment = ""
