"""Debug information in words: names of source files, strings of `.debug_str`."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.syntax.literals import INTEGER, integer
from ptx_ls.syntax.names import NO_MORE, OF_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document

_INTEGER: Final = rf"(?:{INTEGER}){NO_MORE}"
_FILE: Final = re.compile(
    rf"(?:\s|/\*(?:(?!\*/).)*\*/)*\.file\s++({_INTEGER})\s++\"([^\"\r\n]*+)\"", re.ASCII
).match
_LOCATION: Final = re.compile(
    rf"(?<![{OF_NAMES}.+])({_INTEGER})\s++({_INTEGER})\s++({_INTEGER})", re.ASCII
).finditer
_BYTES: Final = re.compile(rf"[^/]*?\.b8\s++((?:\s*+{_INTEGER}\s*+,?)+)", re.ASCII).match
_MAX_STRING_LINES: Final = 1000
"""Lines that one string takes at most; compilers write one byte a line."""
_SEARCHED_LINES: Final = 3000
"""Lines at the start and the end of a document that are searched: compilers put them there."""


class Location(NamedTuple):
    """A source position that a `.loc` names: the file's number, line and column from 1.

    `start` and `stop` are its offsets in the text.
    """

    file: int
    line: int
    column: int
    start: int
    stop: int


class SourceFile(NamedTuple):
    """A `.file` directive: the number that it gives the file `name`, whose offset is `start`."""

    number: int
    name: str
    start: int


def locations(text: str) -> Iterator[Location]:
    """The source positions in a `.loc`: its own, and that of the call that was inlined."""
    for match in _LOCATION(text):
        file, line, column = map(integer, match.groups())
        if file is not None and line is not None and column is not None:
            yield Location(file, line, column, *match.span())


def file_in(text: str) -> SourceFile | None:
    """The `.file` directive that a text begins with, after white space and comments."""
    match = _FILE(text)
    number = integer(match[1]) if match is not None else None
    if match is None or number is None:
        return None
    return SourceFile(number, match[2], match.start(2))


def string_at(document: Document, line: int) -> str:
    """The string whose bytes `.b8` lines give from a line on, up to the zero; "" for none."""
    found = bytearray()
    for text in document.lines[line : line + _MAX_STRING_LINES]:
        match = _BYTES(text)
        if match is None:
            continue
        for number in match[1].split(","):
            byte = (integer(number.strip()) or 0) & 0xFF
            if not byte:
                return found.decode("utf-8", "replace")
            found.append(byte)
    return ""


def name_of(document: Document, number: int) -> str:
    """The file of that number; "" if no `.file` near the edges of the document names it."""
    found = directive_of(document, number)
    return found[1] if found is not None else ""


def directive_of(document: Document, number: int) -> tuple[int, str] | None:
    """Line of the `.file` of that number and the name it gives; None if none is near the edges."""
    found = (it for it in directives(document) if it[1].number == number)
    return next(((line, file.name) for line, file in found), None)


def directives(document: Document) -> Iterator[tuple[int, SourceFile]]:
    """The `.file` directives near the edges of a document, each with its line.

    Of those with the same number, the first one counts.
    """
    lines = document.lines
    head = range(min(_SEARCHED_LINES, len(lines)))
    tail = range(max(len(head), len(lines) - _SEARCHED_LINES), len(lines))
    for line in chain(reversed(tail), head):
        text = lines[line]
        if ".file" in text:
            found = file_in(text)
            if found is not None:
                yield line, found
