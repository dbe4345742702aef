"""Hints of the sources that `.loc` directives name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.hints.hint import Hint, HintKind
from ptx_ls.features.navigation.source_files import directives
from ptx_ls.syntax.offsets import place_of
from ptx_ls.syntax.written.source_locations import locations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.syntax.statement import Statement
    from ptx_ls.syntax.written.source_locations import Location

_MAX_LINES_ABOVE: Final = 1000
"""Maximum number of lines that are searched above those with hints."""
_LOCATION: Final = ".loc"
_NEAR: Final = 20
"""Number of lines in which a file is named once."""


def lines_above(document: Document, statement: Statement, first: int) -> Sequence[str]:
    """Returns lines of the function of a statement before the line `first`."""
    start = max(document.located_at(statement.start).first_line, first - _MAX_LINES_ABOVE)
    return document.lines[start:first]


class SourceHints:
    """Finds the hints of `.loc` directives in their order."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._paths: dict[int, str] = {}
        self._unread_files = directives(document)
        self._function = -1
        self._named_on: dict[int, int] = {}
        """The line of the last `.loc` of the function that names each file, by its number."""
        self._before: frozenset[int] = frozenset()
        """The files in the last `.loc` of the function."""

    def of(self, statement: Statement) -> Iterator[Hint]:
        """Yields the sources of a `.loc`: of its code and of the call that was inlined.

        A hint names a file if neither the `.loc` before, nor one near above, nor a comment does.
        """
        row, start = statement.start.line, self._document.located_at(statement.start).first_line
        if start != self._function:
            self._function = start
            self._read_above(start, row)
        line = self._document.lines[statement.end.line]
        named = [each for each in locations(statement.text) if each.line]
        for each in named:
            if self._is_named(each.file, row):
                continue
            self._named_on[each.file] = row
            path = self._path(each.file)
            name = path.replace("\\", "/").rpartition("/")[2]
            shown = f"{name}:{each.line}"
            if path and shown not in line:
                position = statement.position(place_of(statement.text, each.stop))
                data = {"file": f"{path}:{each.line}:{each.column}"}
                yield Hint(position, shown, HintKind.LOCATION, data)
        self._add(named, row)

    def _is_named(self, file: int, row: int) -> bool:
        return file in self._before or row - self._named_on.get(file, -_NEAR) < _NEAR

    def _add(self, named: Sequence[Location], row: int) -> None:
        """Remembers the files that a `.loc` names; one without a line is the compiler's code."""
        if named:
            self._before = frozenset(each.file for each in named)
            self._named_on.update(dict.fromkeys(self._before, row))

    def _read_above(self, start: int, row: int) -> None:
        """Reads the last `.loc` of the function above a line, and all that are near."""
        self._named_on, self._before = {}, frozenset()
        first = max(start, row - _MAX_LINES_ABOVE)
        lines = self._document.lines[first:row]
        last = next((at for at in reversed(range(len(lines))) if _LOCATION in lines[at]), 0)
        for at in range(min(last, max(len(lines) - _NEAR, 0)), len(lines)):
            if _LOCATION in lines[at]:
                self._add([each for each in locations(lines[at]) if each.line], first + at)

    def _path(self, number: int) -> str:
        """The name of a source file; "" for a number that no `.file` gives."""
        while number not in self._paths:
            _, file = next(self._unread_files, (0, None))
            if file is None:
                return ""
            self._paths.setdefault(file.number, file.name)
        return self._paths[number]
