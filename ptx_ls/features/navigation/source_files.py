"""Reads debug information: the names of source files, and strings in `.debug_str`."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from ptx_ls.document.parts import parts
from ptx_ls.features.navigation.source_links import named_in
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.written.source_locations import SourceFile, file_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document

_BYTES: Final = ".b8"
_MAX_DATA_LINES: Final = 1000
"""Maximum number of lines of one string; compilers write one byte per line."""
_SEARCHED_LINES: Final = 3000
"""Number of lines to search first at either end of a document, where compilers put `.file`."""


def string_at(document: Document, line: int) -> str:
    """Returns the string in `.b8` data from a line on, up to a zero; "" if there is none."""
    found = bytearray()
    for text in document.lines[line : line + _MAX_DATA_LINES]:
        _, _, values = without_comments(text).partition(_BYTES)
        for number in map(integer, map(str.strip, values.split(","))):
            if number is None:
                break
            if not number & 0xFF:
                return found.decode("utf-8", "replace")
            found.append(number & 0xFF)
    return ""


def name_of(document: Document, number: int) -> str:
    """Returns the name of source file `number`; "" if no `.file` is found that declares it."""
    found = directive_of(document, number)
    return found[1] if found is not None else ""


def directive_of(document: Document, number: int) -> tuple[int, str] | None:
    """Returns the line of the `.file` that declares file `number`, and its name; None if absent."""
    found = (it for it in directives(document) if it[1].number == number)
    return next(((line, file.name) for line, file in found), None)


def directives(document: Document) -> Iterator[tuple[int, SourceFile]]:
    """Yields the `.file` directives of a document with their lines, those near its ends first.

    If several have the same number, the one that is yielded first applies.
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
    if head.stop == tail.start:
        return
    for part in parts(document):
        for row, found in named_in(part).files:
            if head.stop <= part.first_line + row < tail.start:
                yield part.first_line + row, found
