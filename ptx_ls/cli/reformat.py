"""Formats one file, from its bytes to the output; possibly in a worker process."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console, inputs, pool
from ptx_ls.cli.inputs import NotPtxError
from ptx_ls.cli.patches import difference, patch
from ptx_ls.cli.status import ExitStatus
from ptx_ls.document.document import Document
from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.languages import other_language
from ptx_ls.formatting.changes import applied
from ptx_ls.formatting.formatter import format_document, formatted_document, refusal, touched
from ptx_ls.source.encoding import DecodedText, EncodingError, decode, encode
from ptx_ls.syntax.reader import Reader

if TYPE_CHECKING:
    from ptx_ls.cli.inputs import Input
    from ptx_ls.files.configuration.discovery import Configurations
    from ptx_ls.formatting import FormatStyle
    from ptx_ls.source import Range


_RETURN: Final = "\r"


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


def reformat(
    file: Input,
    configurations: Configurations,
    mode: ReformatMode,
    part: Range | None = None,
) -> LayoutReport:
    """Reads and formats a file, and writes it in that mode. Failures are part of the report.

    `part`: the range of the text to format; None for all of it. It may end after the text.
    """
    details = ""
    try:
        return _reformatted(file, configurations, mode, part)
    except (OSError, EncodingError, NotPtxError, ConfigurationError, MemoryError) as error:
        status, message = ExitStatus.BAD_INPUT, inputs.reason_of(error)
    except Exception as error:  # noqa: BLE001  # one file must not prevent formatting the others
        status, (message, details) = ExitStatus.INTERNAL_ERROR, console.bug_report(error)
    content = file.content if mode is ReformatMode.WRITE and file.content is not None else b""
    return LayoutReport(file.path, content=content, status=status, message=message, details=details)


def lost(file: Input) -> LayoutReport:
    """Returns the report of a file whose process died."""
    status = ExitStatus.INTERNAL_ERROR
    return LayoutReport(file.path, status=status, message=f"not formatted: {pool.LOST}")


def _reformatted(
    file: Input, configurations: Configurations, mode: ReformatMode, part: Range | None
) -> LayoutReport:
    style = configurations.style_of(file.path)
    before = inputs.read(file)
    decoded = decode(before)
    document = Document.read(decoded.text, _reader())
    if part is not None:
        return _written(file, before, decoded, _part_changed(file, document, style, part), mode)
    inputs.require_ptx(file, document)
    line_end = configurations.editor_style_of(file.path).line_end
    if mode is ReformatMode.DIFF and not line_end:
        found = format_document(document, style)
        text = "".join(difference(file.path, document.lines[:], found))
        return LayoutReport(file.path, bool(found), text)
    text = _with_line_ends(formatted_document(document, style), line_end)
    return _written(file, before, decoded, text, mode)


def _part_changed(file: Input, document: Document, style: FormatStyle, part: Range) -> str:
    """Returns the text of a file after the statements that a range touches are formatted.

    Raises:
        NotPtxError: if they cannot be parsed, or the file is not PTX.
    """
    first, stop = touched(part.start, part.end)
    last = len(document.lines)
    if first >= last:
        return document.text
    spans = [(first, min(stop, last))]
    if reason := other_language(file.path) or refusal(document, spans):
        raise NotPtxError(reason)
    return applied(document.lines[:], format_document(document, style, spans=spans))


def _with_line_ends(text: str, line_end: str) -> str:
    """Returns a text with that end of each line; the same text if `line_end` is "".

    Other carriage returns are kept, because one in a comment does not end the comment.
    """
    if not line_end:
        return text
    *lines, rest = text.split("\n")
    return "".join([f"{line.rstrip(_RETURN)}{line_end}" for line in lines]) + rest


def _written(
    file: Input, before: bytes, decoded: DecodedText, text: str, mode: ReformatMode
) -> LayoutReport:
    """Writes or shows the new text of a file that was read as `before`."""
    is_changed = text != decoded.text
    if mode is ReformatMode.DIFF:
        shown = patch(file.path, decoded.text, text)
        return LayoutReport(file.path, is_changed, shown)
    content = encode(DecodedText(text, decoded.had_bom))
    if mode is ReformatMode.WRITE and file.content is not None:
        return LayoutReport(file.path, is_changed, content=content)
    if mode is ReformatMode.WRITE and is_changed:
        inputs.write(file, content, before)
    return LayoutReport(file.path, is_changed)


@cache
def _reader() -> Reader:
    """Returns the reader of this process: what it learns from one file helps with the next."""
    return Reader()
