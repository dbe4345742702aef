"""Lints one file, from its bytes to the text of the output. Runs in this or another process."""

from __future__ import annotations

import gc
from collections import Counter
from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls import lint
from ptx_ls.cli import console, inputs, pool
from ptx_ls.cli.diagnostics import rendered
from ptx_ls.cli.status import ExitStatus
from ptx_ls.lint import fixing
from ptx_ls.source import Diagnostic, Position, Range, Severity
from ptx_ls.source.encoding import (
    FOREIGN,
    DecodedText,
    EncodingError,
    decode,
    encode,
    foreign_bytes,
)
from ptx_ls.syntax.document import Document
from ptx_ls.syntax.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.cli.diagnostics import Style
    from ptx_ls.cli.inputs import Input

SYNTAX_RULE: Final = "syntax-error"
"""The rule that reports a byte order mark, which is no part of the text that rules see."""
_COLLECT_AFTER: Final = 64_000_000
"""Bytes linted by one process after which it looks for cycles of garbage."""


class Fixes(Enum):
    """Which fixes to apply."""

    NONE = auto()
    CERTAIN = auto()
    UNSAFE = auto()


class Failure(NamedTuple):
    """Why a file has no diagnostics.

    Attributes:
        status: BAD_INPUT or INTERNAL_ERROR.
        message: one line.
        details: a traceback, or nothing.
    """

    status: ExitStatus
    message: str
    details: str = ""


_NO_RULES: Final[Mapping[str, int]] = {}


class FileReport(NamedTuple):
    """What came out of one file.

    Attributes:
        path: as the output names it.
        text: its diagnostics as they are to be written; without comma or line end after JSON.
        counts: number of diagnostics of each severity, written or not.
        failure: why it could not be linted.
        rules: number of diagnostics of each rule, of the severities that are reported.
        n_fixed: how many diagnostics were mended.
        n_fixable: how many of those left have a fix that is certain, and how many another one.
    """

    path: str
    text: str
    counts: dict[Severity, int]
    failure: Failure | None = None
    rules: Mapping[str, int] = _NO_RULES
    n_fixed: int = 0
    n_fixable: tuple[int, int] = (0, 0)


def check(file: Input, style: Style, fixes: Fixes = Fixes.NONE) -> FileReport:
    """Reads, decodes, parses, lints and mends a file. What goes wrong is part of the report."""
    try:
        report = _report(file, style, fixes)
    except (OSError, EncodingError) as error:
        message = inputs.reason_of(error)
        return FileReport(file.path, "", {}, Failure(ExitStatus.BAD_INPUT, message))
    except Exception as error:  # noqa: BLE001  # one file must not keep the others from being linted
        return FileReport(
            file.path, "", {}, Failure(ExitStatus.INTERNAL_ERROR, *console.bug_report(error))
        )
    _collect(file.size)
    return report


def lost(file: Input) -> FileReport:
    """The report of a file whose process died."""
    failure = Failure(ExitStatus.INTERNAL_ERROR, f"not linted: {pool.LOST}")
    return FileReport(file.path, "", {}, failure)


def _report(file: Input, style: Style, fixes: Fixes) -> FileReport:
    content = inputs.read(file)
    decoded = decode(content)
    text, n_fixed = decoded.text, 0
    if fixes is not Fixes.NONE:
        text, n_fixed = _mended(file, content, style, fixes)
    document = Document(text, _reader())
    diagnostics = lint.lint(document)
    if decoded.had_bom:
        diagnostics = [_byte_order_mark(), *diagnostics]
    if decoded.is_mixed:
        diagnostics = sorted([*diagnostics, *_foreign(document, diagnostics)], key=_start)
    counts: dict[Severity, int] = {}
    for diagnostic in diagnostics:
        counts[diagnostic.severity] = counts.get(diagnostic.severity, 0) + 1
    shown = [each for each in diagnostics if each.severity in style.severities]
    return FileReport(
        file.path,
        rendered(file.path, document.lines, diagnostics, style),
        counts,
        rules=dict(Counter(each.rule for each in shown)),
        n_fixed=n_fixed,
        n_fixable=_fixable(shown),
    )


def _mended(file: Input, content: bytes, style: Style, fixes: Fixes) -> tuple[str, int]:
    """The text after fixes, which is written to the file in place of its content."""
    decoded = decode(content)
    fixed = fixing.fix(
        decoded.text,
        has_unsafe=fixes is Fixes.UNSAFE,
        severities=style.severities,
        reader=_reader(),
    )
    if fixed.text != decoded.text:
        inputs.write(file, encode(DecodedText(fixed.text, decoded.had_bom)), content)
    return fixed.text, fixed.n_fixed


def _fixable(diagnostics: list[Diagnostic]) -> tuple[int, int]:
    certain = sum(fixing.fix_of(each, has_unsafe=False) is not None for each in diagnostics)
    either = sum(fixing.fix_of(each, has_unsafe=True) is not None for each in diagnostics)
    return certain, either - certain


def _byte_order_mark() -> Diagnostic:
    return Diagnostic(
        Range(Position(0, 0), Position(0, 0)),
        SYNTAX_RULE,
        Severity.ERROR,
        "byte order mark before the text: ptxas refuses it, save the file as UTF-8 without one",
    )


@cache
def _reader() -> Reader:
    """The reader of this process: what it learned from one file helps with the next."""
    return Reader()


def _foreign(document: Document, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Tells once of bytes that are not UTF-8, where no error does already."""
    places = [
        Range(Position(number, match.start()), Position(number, match.end()))
        for number, line in enumerate(document.lines)
        for match in FOREIGN.finditer(line)
    ]
    wrong = {each.range.start.line for each in diagnostics if each.severity is Severity.ERROR}
    left = [place for place in places if place.start.line not in wrong]
    if not left:
        return []
    start, end = left[0]
    shown = foreign_bytes(document.lines[start.line][start.column : end.column])
    more = f", like {len(left) - 1} more" if len(left) > 1 else ""
    message = f"`{shown}` is not UTF-8{more}: ptxas passes over it, other tools may not"
    return [Diagnostic(left[0], SYNTAX_RULE, Severity.WARNING, message)]


def _start(diagnostic: Diagnostic) -> Position:
    return diagnostic.range.start


_n_bytes_since_collection = 0


def _collect(n_bytes: int) -> None:
    """Frees cycles now and then, where the collector is off."""
    global _n_bytes_since_collection  # noqa: PLW0603  # one per process, as the collector is
    _n_bytes_since_collection += n_bytes
    if _n_bytes_since_collection >= _COLLECT_AFTER and not gc.isenabled():
        _n_bytes_since_collection = 0
        gc.collect()
