"""Lays out lines of one plain statement: nearly all that compilers write."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ptx_ls.formatting.row import WHITE_SPACE, LayoutRow, Role
from ptx_ls.syntax.line_parts import (
    block_comment_label,
    data_parts,
    instruction_parts,
    label_parts,
    location_parts,
    register_parts,
)
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.formatting.style import FormatStyle

_N_BLANKS_AND_END: Final = 3
"""Columns that the spaces after guard and opcode, and the terminator, take."""


class Quick:
    """Lays out single lines according to a style."""

    __slots__ = ("_column", "_indent", "_width")

    def __init__(self, style: FormatStyle) -> None:
        self._column = style.operand_column - 1
        self._indent = style.indent
        self._width = style.width

    def row(self, line: str, kind: Kind, level: int) -> LayoutRow | None:
        """Returns the row of a line other than an instruction; None if its tokens must be read."""
        reader = _READERS.get(kind)
        return reader(line, level) if reader is not None else None

    def instruction(self, line: str, level: int) -> LayoutRow | str | None:
        """Returns the row of an instruction, or only its code if it is not aligned with other rows.

        Returns None if its tokens must be read.
        """
        found = instruction_parts(line)
        if found is None:
            return None
        guard, opcode, operands, comment = found.groups()
        if operands is None:
            if guard is None and comment is None:
                return f"{opcode};"
            return LayoutRow(level, Role.CODE, f"{opcode};", "", guard or "", _comment(comment))
        operands = operands.replace(", ", ",").replace(",", ", ")
        n_head = len(opcode) if guard is None else len(guard) + len(opcode)
        n_head = max(n_head, self._column)
        is_long = level * self._indent + n_head + len(operands) + _N_BLANKS_AND_END > self._width
        if is_long or "--" in operands or "++" in operands:  # the signs need a space between them
            return None
        if guard is None and comment is None:
            return f"{opcode.ljust(self._column)} {operands};"
        return LayoutRow(level, Role.CODE, f"{operands};", opcode, guard or "", _comment(comment))


def comment(text: str, level: int) -> LayoutRow:
    """Returns the row of a comment on a separate line."""
    level = max(0, level - 1) if block_comment_label(text) else level
    return LayoutRow(level, Role.COMMENT, text)


def _own_comment(line: str, level: int) -> LayoutRow | None:
    text = line.strip(WHITE_SPACE)
    if not text.startswith("//") or line.endswith("\r"):
        return None
    return comment(text, level)


def _label(line: str, level: int) -> LayoutRow | None:
    found = label_parts(line)
    if found is None:
        return None
    return LayoutRow(max(0, level - 1), Role.LABEL, f"{found[1]}:", comment=_comment(found[2]))


def _location(line: str, level: int) -> LayoutRow | None:
    found = location_parts(line)
    if found is None:
        return None
    text = f".loc {found[1]} {found[2]} {found[3]}{found[4]}"
    return LayoutRow(level, Role.CODE, text, comment=_comment(found[5]))


def _data(line: str, level: int) -> LayoutRow | None:
    found = data_parts(line)
    if found is None or "--" in found[2] or "++" in found[2]:  # the signs need a space between them
        return None
    return LayoutRow(level, Role.CODE, f"{found[1]} {found[2]}", comment=_comment(found[3]))


def _registers(line: str, level: int) -> LayoutRow | None:
    found = register_parts(line)
    if found is None:
        return None
    return LayoutRow(level, Role.CODE, found[2], f".reg {found[1]}", comment=_comment(found[3]))


_READERS: Final[dict[Kind, Callable[[str, int], LayoutRow | None]]] = {
    Kind.COMMENT: _own_comment,
    Kind.LABEL: _label,
    Kind.LOCATION: _location,
    Kind.DATA: _data,
    Kind.DECLARATION: _registers,
}


def _comment(text: str | None) -> str:
    return text.rstrip(WHITE_SPACE) if text else ""
