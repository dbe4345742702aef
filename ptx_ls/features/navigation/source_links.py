"""Links to the sources that a document names: `.file`, `.loc`, `# 1 "x.cu"` and `#include`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.source import Range
from ptx_ls.syntax.record import Kind, MultiLine
from ptx_ls.syntax.written.source_locations import file_in, locations, source_named_by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document

_START: Final = attrgetter("range.start")
_MAX_LINKS: Final = 5000
"""Maximum number of links to list. For a `.loc` further down, Go to Definition finds the source."""
_NAMING: Final = (Kind.LOCATION, Kind.DIRECTIVE, Kind.LINE, Kind.BROKEN, Kind.COMMENT)
"""Kinds of lines that may name a source."""


@dataclass(frozen=True, slots=True)
class SourceLink:
    """A place that names a source. `line` and `column` start at 1; 0 if it names none."""

    range: Range
    name: str
    line: int = 0
    column: int = 0


def source_links(document: Document) -> list[SourceLink]:
    """Returns the links of a document in the order of the text."""
    files: dict[int, str] = {}
    links: list[SourceLink] = []
    locations: list[int] = []
    records = document.records[:]
    chosen = {it for it in set(records) if it.kind in _NAMING or isinstance(it, MultiLine)}
    for line in compress(range(len(records)), map(chosen.__contains__, records)):
        if records[line].kind is Kind.LOCATION:
            locations.append(line)
        else:
            text = document.lines[line]
            file = file_in(text)
            if file is not None:
                files.setdefault(file.number, file.name)
                columns = file.start, file.start + len(file.name)
                links.append(SourceLink(_span(line, columns), file.name))
            elif "clude" in text or text.lstrip().startswith("#"):
                links += _of_line(line, text)
    for line in locations:
        if len(links) >= _MAX_LINKS:
            break
        links += _of_location(line, document.lines[line], files)
    return sorted(links[:_MAX_LINKS], key=_START)


def _of_line(line: int, text: str) -> Iterator[SourceLink]:
    named = source_named_by(text)
    if named is not None:
        columns = named.start, named.start + len(named.name)
        yield SourceLink(_span(line, columns), named.name, named.line)


def _of_location(line: int, text: str, files: dict[int, str]) -> Iterator[SourceLink]:
    for named in locations(text.partition("//")[0]):
        name = files.get(named.file)
        if name is not None:
            columns = named.start, named.stop
            yield SourceLink(_span(line, columns), name, named.line, named.column)


def _span(line: int, columns: tuple[int, int]) -> Range:
    return Range.on_line(line, *columns)
