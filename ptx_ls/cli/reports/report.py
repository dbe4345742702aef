"""The parts that every form of report has, and the material that it is made from."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

from ptx_ls.source import separate
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.lint.identity.sites import Site
    from ptx_ls.source import Diagnostic

TOOL: Final = "ptx-ls"
"""The name of the tool, in reports that have one."""


class Look(NamedTuple):
    """How a report looks where it is shown.

    Attributes:
        has_colour: whether to use colours.
        width: number of columns for an excerpt.
        most_alike: how many similar diagnostics of a file are written; 0: all.
        has_links: whether to link rules to their pages, as terminals can.
    """

    has_colour: bool = False
    width: int = 200
    most_alike: int = 0
    has_links: bool = False


class OpenFile(Protocol):
    """The text of a file, for forms of report that need it."""

    @property
    def lines(self) -> Sequence[str]:
        """The lines, each with its line end."""

    @property
    def document(self) -> Document:
        """The document."""

    def sites(self, lines: Iterable[int]) -> Mapping[int, Site]:
        """Returns the function and the statement on each of some lines."""


class Findings:
    """The diagnostics of a file that are reported.

    Attributes:
        path: as the user named the file.
        file: the file.
        diagnostics: in the order to report them; one may be about several places.
    """

    def __init__(self, path: str, file: OpenFile, diagnostics: Sequence[Diagnostic]) -> None:
        self.path, self.file, self.diagnostics = path, file, diagnostics

    @cached_property
    def separate(self) -> list[Diagnostic]:
        """The diagnostics with one place each."""
        return separate(self.diagnostics)


class Failed(NamedTuple):
    """A file without a result, and why."""

    path: str
    message: str


class Totals(NamedTuple):
    """The outcome of a run, for the end of a report.

    Attributes:
        n_elements: how many elements the report has.
        n_left_out: how many elements exceeded the limit of the report.
        failed: the files without a result.
    """

    n_elements: int = 0
    n_left_out: int = 0
    failed: tuple[Failed, ...] = ()


def _nothing(_totals: Totals) -> str:
    return ""


class Report(NamedTuple):
    """A form of report: its text is `begin`, the elements of all files, and `end`.

    Attributes:
        elements: returns the elements of one file, in order; some forms have one for each file,
            others one for each diagnostic.
        begin: returns the text before the elements.
        between: the text between two elements.
        end: returns the text after the elements.
        is_for_people: whether similar diagnostics may be left out, and patches follow.
        most_elements: the number of elements that the readers of this form accept.
    """

    elements: Callable[[Findings, Look], list[str]]
    begin: Callable[[], str] = str
    between: str = ""
    end: Callable[[Totals], str] = _nothing
    is_for_people: bool = False
    most_elements: int = sys.maxsize


def json_array(elements: Callable[[Findings, Look], list[str]]) -> Report:
    """Returns the report whose text is a JSON array with an element on each line."""

    def lines(findings: Findings, look: Look) -> list[str]:
        return [f"\n{each}" for each in elements(findings, look)]

    def end(totals: Totals) -> str:
        return "\n]\n" if totals.n_elements else "]\n"

    return Report(lines, lambda: "[", ",", end)


def relative_uri(path: str) -> str:
    """Returns a URI for a path: relative to the current directory if it is below, else absolute.

    Bytes that are not UTF-8 are percent-encoded, so that the file can be opened.
    """
    absolute = os.path.abspath(path)
    beside = _below(absolute)
    if beside is not None:
        from urllib.parse import quote

        return quote(os.fsencode(beside.replace(os.sep, "/")), safe="/")
    return absolute_uri(path)


def absolute_uri(path: str) -> str:
    """Returns the `file:` URI of a path."""
    from ptx_ls.source import uris

    return uris.from_path(os.path.abspath(path))


def relative_path(path: str) -> str:
    """Returns a path relative to the current directory, with slashes, if it is below it."""
    beside = _below(os.path.abspath(path))
    return path if beside is None else beside.replace(os.sep, "/")


def _below(absolute: str) -> str | None:
    folder = os.path.join(os.getcwd(), "")
    return absolute[len(folder) :] if absolute.startswith(folder) else None
