"""Assembles rows into a text, with blank lines, and aligns consecutive rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.formatting.row import LayoutRow, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.formatting.style import FormatStyle

_MAX_LEVELS: Final = 40
"""Maximum number of levels that are indented; deeper nesting is indented no further."""
_COMMENT_GAP: Final = 2
"""Number of spaces before a comment."""
_MAX_ALIGNED_COLUMNS: Final = 64
"""A row with more columns does not move the comments of the rows around it."""
_MAX_GUARD_WIDTH: Final = 12
"""A longer guard predicate does not move the opcodes of the rows around it."""
_BRACES: Final = (Role.OPEN, Role.CLOSE, Role.END)


class Sheet:
    """Collects rows; `texts` are the lines without ends, complete after `finish`."""

    __slots__ = (
        "_commented",
        "_guarded",
        "_is_after_end",
        "_margins",
        "_n_blank",
        "_style",
        "last",
        "texts",
    )

    def __init__(self, style: FormatStyle) -> None:
        self.texts: list[str] = []
        self.last: Role | None = None
        """The role of the last row other than a blank line; None before the first one."""
        self._style = style
        self._margins = [style.margin(level) for level in range(_MAX_LEVELS + 1)]
        self._n_blank = 0
        self._commented: dict[int, tuple[int, Role, str]] = {}
        self._guarded: dict[int, LayoutRow] = {}
        self._is_after_end = False

    def margin(self, level: int) -> str:
        """Returns the white space before a row of a level."""
        return self._margins[min(level, _MAX_LEVELS)]

    def blank(self) -> None:
        """Adds a blank line, if one is allowed."""
        most = max(self._is_after_end, self._style.blank_lines)
        if self.last not in (None, Role.OPEN) and self._n_blank < most:
            self.texts.append("")
            self._n_blank += 1

    def drop_blanks(self) -> None:
        """Removes the blank lines at the end."""
        if self._n_blank:
            del self.texts[-self._n_blank :]
            self._n_blank = 0

    def plain(self, texts: list[str], role: Role) -> None:
        """Adds complete lines."""
        if self._is_after_end:
            self._leave_end()
        self.texts += texts
        self.last = role
        self._n_blank = 0

    def add_all(self, rows: Iterable[LayoutRow | str]) -> None:
        """Adds rows, or complete lines of code."""
        for row in rows:
            if isinstance(row, str):
                self.plain([row], Role.CODE)
            else:
                self.add(row)

    def add(self, row: LayoutRow) -> None:
        """Adds a row."""
        for _ in range(row.n_blank):
            self.blank()
        if row.role in (Role.CLOSE, Role.END):
            self.drop_blanks()
        if self._is_after_end:
            self._leave_end()
        elif row.role is Role.HEAD and self.last not in (None, Role.COMMENT, Role.KEPT):
            self._set_apart()
        number = len(self.texts)
        if row.guard:
            self._guarded[number] = row
        if row.comment:
            self._commented[number] = row.level, row.role, row.comment
        self.texts.append(self.margin(row.level) + self._code(row, 0))
        self.last = row.role
        self._n_blank = 0
        self._is_after_end = row.role is Role.END

    def _leave_end(self) -> None:
        """Separates the following statements from the function that has just ended."""
        self._is_after_end = False
        self._set_apart()

    def _set_apart(self) -> None:
        if not self._n_blank:
            self.texts.append("")

    def _code(self, row: LayoutRow, guard_width: int) -> str:
        head = row.head
        if row.guard:
            guard = row.guard.ljust(guard_width)
            if not head:
                return f"{guard} {row.operands}"
            head = f"{guard} {head}"
        if not head:
            return row.operands
        return f"{head.ljust(self._style.operand_column - 1)} {row.operands}"

    def finish(self) -> None:
        """Aligns guard predicates and comments in consecutive rows."""
        for group in _groups(self._guarded):
            widths = [len(self._guarded[number].guard) for number in group]
            width = max([each for each in widths if each <= _MAX_GUARD_WIDTH], default=0)
            for number in group:
                row = self._guarded[number]
                self.texts[number] = self.margin(row.level) + self._code(row, width)
        for group in _groups(self._commented):
            self._align_comments(group)

    def _align_comments(self, group: list[int]) -> None:
        widths = [self._width(number) for number in group]
        least = self._style.comment_column
        column = 0
        if least:
            taking_part = [
                (width, number)
                for width, number in zip(widths, group, strict=True)
                if width <= _MAX_ALIGNED_COLUMNS and self._commented[number][1] not in _BRACES
            ]
            column = max([width + _COMMENT_GAP for width, _ in taking_part], default=0)
            if any(self._commented[number][0] for _, number in taking_part):
                column = max(column, least)
        for width, number in zip(widths, group, strict=True):
            _, role, comment = self._commented[number]
            gap = 1 if role in _BRACES else max(_COMMENT_GAP, column - width)
            self.texts[number] += " " * gap + comment

    def _width(self, number: int) -> int:
        """Returns the width of a row in columns; a leading tab takes `indent` columns."""
        text = self.texts[number]
        if not self._style.tabs:
            return len(text)
        n_tabs = len(text) - len(text.lstrip("\t"))
        return len(text) + n_tabs * (self._style.indent - 1)


def _groups(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Yields groups of consecutive numbers."""
    group: list[int] = []
    for number in numbers:
        if group and number != group[-1] + 1:
            yield group
            group = []
        group.append(number)
    if group:
        yield group
