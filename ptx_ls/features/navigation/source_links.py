"""Links to the sources that a document names: `.file`, `.loc`, `# 1 "x.cu"` and `#include`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Final

from ptx_ls.document.facts import fact
from ptx_ls.document.parts import part_fact, parts
from ptx_ls.source import Range
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind, MultiLine
from ptx_ls.syntax.written.source_locations import file_in, locations, source_named_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ptx_ls.document.document import Document

MAX_LINKS: Final = 5000
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


class SourceNames(NamedTuple):
    """The sources named in a part of a document: counts of links, and its `.file` directives.

    `n_links`: of links outside of `.loc`. `n_locations`: of lines with `.loc`. `files`: pairs of
    the number of a file and its name, in order.
    """

    n_links: int
    n_locations: int
    files: tuple[tuple[int, str], ...]


def _total(parts: Iterable[tuple[int, SourceNames]]) -> SourceNames:
    """Returns what a group names."""
    found = [named for _, named in parts]
    return SourceNames(
        sum(named.n_links for named in found),
        sum(named.n_locations for named in found),
        tuple([file for named in found for file in named.files]),
    )


@part_fact(_total)
def named_in(document: Document) -> SourceNames:
    """Returns the source files that a part of a document names, and the number of its links."""
    links, files = _named(document, _lines_that_may_name(document, is_location=False))
    n_locations = sum(1 for _ in _lines_that_may_name(document, is_location=True))
    return SourceNames(len(links), n_locations, tuple(files))


@fact
def file_names(document: Document) -> Mapping[int, str]:
    """Maps the numbers of the source files of a document to their names."""
    files: dict[int, str] = {}
    for part in parts(document):
        for number, name in named_in(part).files:
            files.setdefault(number, name)
    return files


def named_links(document: Document) -> list[SourceLink]:
    """Returns the first `MAX_LINKS` links outside of `.loc`, in order."""
    links, _ = _named(document, _lines_that_may_name(document, is_location=False))
    return links[:MAX_LINKS]


def location_links(document: Document, files: Mapping[int, str]) -> list[SourceLink]:
    """Returns the first `MAX_LINKS` links of `.loc` directives, in order."""
    links: list[SourceLink] = []
    for line in _lines_that_may_name(document, is_location=True):
        if len(links) >= MAX_LINKS:
            break
        links += _of_location(line, document.lines[line], files)
    return links[:MAX_LINKS]


def _lines_that_may_name(document: Document, *, is_location: bool) -> Iterable[int]:
    """Returns the lines with `.loc`, or all others that may name a source."""
    records = document.records[:]
    chosen = {
        it
        for it in set(records)
        if (it.kind is Kind.LOCATION) is is_location
        and (it.kind in _NAMING or isinstance(it, MultiLine))
    }
    return compress(range(len(records)), map(chosen.__contains__, records)) if chosen else ()


def _named(
    document: Document, lines: Iterable[int]
) -> tuple[list[SourceLink], list[tuple[int, str]]]:
    links: list[SourceLink] = []
    files: list[tuple[int, str]] = []
    for line in lines:
        text = document.lines[line]
        file = file_in(text)
        if file is not None:
            files.append((file.number, file.name))
            columns = file.start, file.start + len(file.name)
            links.append(SourceLink(_span(line, columns), file.name))
        elif "clude" in text or text.lstrip().startswith("#"):
            links += _of_line(line, text)
    return links, files


def _of_line(line: int, text: str) -> Iterator[SourceLink]:
    named = source_named_by(text)
    if named is not None:
        columns = named.start, named.start + len(named.name)
        yield SourceLink(_span(line, columns), named.name, named.line)


def _of_location(line: int, text: str, files: Mapping[int, str]) -> Iterator[SourceLink]:
    for named in locations(text.partition("//")[0]):
        name = files.get(named.file)
        if name is not None:
            columns = named.start, named.stop
            yield SourceLink(_span(line, columns), name, named.line, named.column)


def _span(line: int, columns: tuple[int, int]) -> Range:
    return Range.on_line(line, *columns)
