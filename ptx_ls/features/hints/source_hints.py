"""Hints of the sources that `.loc` directives name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.hints.hint import Hint, HintKind
from ptx_ls.features.hints.obvious import is_near
from ptx_ls.features.navigation.source_files import directives
from ptx_ls.syntax.offsets import place_of
from ptx_ls.syntax.written.source_locations import locations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.syntax.statement import Statement

_MAX_LINES_ABOVE: Final = 1000
"""Maximum number of lines that are searched above those with hints."""
_LOCATION: Final = ".loc"
_INLINED: Final = "inlined_at"


def lines_above(document: Document, statement: Statement, first: int) -> Sequence[str]:
    """Returns lines of the function of a statement before the line `first`."""
    start = max(document.located_at(statement.start).first_line, first - _MAX_LINES_ABOVE)
    return document.lines[start:first]


class SourceHints:
    """Finds the hints of `.loc` directives in their order, from the line `first` on."""

    def __init__(self, document: Document, first: int) -> None:
        self._document, self._first = document, first
        self._files: dict[int, str] = {}
        self._unread_files = directives(document)
        self._source: str | None = None

    def of(self, statement: Statement) -> Iterator[Hint]:
        """Yields the sources of a `.loc`: of its code and of the call that was inlined.

        A hint names a file if the one before was another and no comment says so, and a call if no
        line near above names it, too.
        """
        line = self._document.lines[statement.end.line]
        calls = _calls_in(statement.text)
        is_told = bool(calls) and is_near(calls, self._document.lines, statement.start.line)
        for named in locations(statement.text):
            if not named.line:  # code that the compiler added
                continue
            if is_told and named.start >= statement.text.index(_INLINED):
                continue
            path = self._path(named.file)
            if path and path != self._source_before(statement):
                name = path.replace("\\", "/").rpartition("/")[2]
                shown = f"{name}:{named.line}"
                if shown not in line:
                    position = statement.position(place_of(statement.text, named.stop))
                    data = {"file": f"{path}:{named.line}:{named.column}"}
                    yield Hint(position, shown, HintKind.LOCATION, data)
            self._source = path

    def _source_before(self, statement: Statement) -> str:
        """The file of the last `.loc` before; "" if there is none near in the function."""
        if self._source is None:
            above = reversed(lines_above(self._document, statement, self._first))
            last = next((line for line in above if _LOCATION in line), "")
            named = next(iter(locations(last)), None)
            self._source = "" if named is None else self._path(named.file)
        return self._source

    def _path(self, number: int) -> str:
        """The name of a source file; "" for a number that no `.file` gives."""
        while number not in self._files:
            _, file = next(self._unread_files, (0, None))
            if file is None:
                return ""
            self._files.setdefault(file.number, file.name)
        return self._files[number]


def _calls_in(text: str) -> str:
    """Returns the calls that a `.loc` is inlined from, without a comment; "" if there are none."""
    return text.partition("//")[0].partition(_INLINED)[2].strip()
