"""Formats one file, from its bytes to the output; possibly in a worker process."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console, inputs, pool
from ptx_ls.cli.inputs import NotPtxError
from ptx_ls.cli.status import ExitStatus
from ptx_ls.document.document import Document
from ptx_ls.formatting.formatter import format_document, formatted_document
from ptx_ls.source.encoding import DecodedText, EncodingError, decode, encode
from ptx_ls.source.lines import content_length
from ptx_ls.syntax.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.cli.inputs import Input
    from ptx_ls.files.configuration.discovery import Configurations
    from ptx_ls.formatting import FormatStyle
    from ptx_ls.formatting.changes import LineReplacement

_CONTEXT_LINES: Final = 3
"""The number of lines that a diff shows around changes."""


class ReformatMode(Enum):
    """The action for a file whose layout would change."""

    WRITE = auto()
    CHECK = auto()
    DIFF = auto()


@dataclass(frozen=True, slots=True)
class LayoutReport:
    """The result of one file.

    Attributes:
        path: as the output names it.
        is_changed: whether its layout changes.
        text: the difference, if that is requested.
        content: the new text of standard input; unchanged if it cannot be formatted.
        status: CLEAN, or what prevented formatting.
        message: why it was not formatted.
        details: a traceback, or nothing.
    """

    path: str
    is_changed: bool = False
    text: str = ""
    content: bytes = b""
    status: ExitStatus = ExitStatus.CLEAN
    message: str = ""
    details: str = ""


def reformat(file: Input, configurations: Configurations, mode: ReformatMode) -> LayoutReport:
    """Reads and formats a file, and writes it in that mode. Failures are part of the report."""
    details = ""
    try:
        return _reformatted(file, configurations.of(file.path).style, mode)
    except (OSError, EncodingError, NotPtxError, MemoryError) as error:
        status, message = ExitStatus.BAD_INPUT, inputs.reason_of(error)
    except Exception as error:  # noqa: BLE001  # one file must not prevent formatting the others
        status, (message, details) = ExitStatus.INTERNAL_ERROR, console.bug_report(error)
    content = file.content if mode is ReformatMode.WRITE and file.content is not None else b""
    return LayoutReport(file.path, content=content, status=status, message=message, details=details)


def lost(file: Input) -> LayoutReport:
    """Returns the report of a file whose process died."""
    status = ExitStatus.INTERNAL_ERROR
    return LayoutReport(file.path, status=status, message=f"not formatted: {pool.LOST}")


def _reformatted(file: Input, style: FormatStyle, mode: ReformatMode) -> LayoutReport:
    before = inputs.read(file)
    decoded = decode(before)
    document = Document.read(decoded.text, _reader())
    inputs.require_ptx(file, document)
    if mode is ReformatMode.DIFF:
        found = format_document(document, style)
        text = "".join(difference(file.path, document.lines[:], found))
        return LayoutReport(file.path, bool(found), text)
    text = formatted_document(document, style)
    is_changed = text != decoded.text
    content = encode(DecodedText(text, decoded.had_bom))
    if mode is ReformatMode.WRITE and file.content is not None:
        return LayoutReport(file.path, is_changed, content=content)
    if mode is ReformatMode.WRITE and is_changed:
        inputs.write(file, content, before)
    return LayoutReport(file.path, is_changed)


def difference(
    path: str, lines: Sequence[str], changes: Sequence[LineReplacement]
) -> Iterator[str]:
    """Yields changes of lines as a unified diff for `patch`; nothing if there are no changes."""
    lines = lines if lines[-1] else lines[:-1]
    if changes:
        yield f"--- {path}\n+++ {path}\n"
    moved = 0
    for group in _grouped(changes):
        first = max(0, group[0].first - _CONTEXT_LINES)
        stop = min(len(lines), group[-1].stop + _CONTEXT_LINES)
        added = sum(len(each.lines) - (each.stop - each.first) for each in group)
        yield f"@@ -{_span(first, stop)} +{_span(first + moved, stop + moved + added)} @@\n"
        at = first
        for change in group:
            yield from (_row(" ", line) for line in lines[at : change.first])
            yield from (_row("-", line) for line in lines[change.first : change.stop])
            yield from (_row("+", line) for line in change.lines)
            at = change.stop
        yield from (_row(" ", line) for line in lines[at:stop])
        moved += added


def _grouped(changes: Sequence[LineReplacement]) -> Iterator[list[LineReplacement]]:
    """Yields groups of changes that are near each other and shown together."""
    group: list[LineReplacement] = []
    for change in changes:
        if group and change.first - group[-1].stop > 2 * _CONTEXT_LINES:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _span(first: int, stop: int) -> str:
    count = stop - first
    if count == 1:
        return str(first + 1)
    return f"{first + 1 if count else first},{count}"


def _row(sign: str, line: str) -> str:
    if content_length(line) < len(line):
        return f"{sign}{line}"
    return f"{sign}{line}\n\\ No newline at end of file\n"


@cache
def _reader() -> Reader:
    """Returns the reader of this process: what it learns from one file helps with the next."""
    return Reader()
