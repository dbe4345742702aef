"""Makes docs/side-by-side.md: the messages of ptx-ls and ptxas for the same hundred mistakes.

The messages of ptxas are recorded, because ptxas is not installed everywhere:
`./dev docs --record` records them again. Each mistake is a file of tests/corpus/rejected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from docs.folders import DOCS, ROOT
from docs.generators.unwrapping import unwrapped
from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity
from ptx_ls.toolchain import ptxas

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.source import Diagnostic

RECORD = DOCS / "side-by-side.tsv"
"""Family, name of the file, line and text of ptxas' first error."""
PAGE = DOCS / "side-by-side.md"
_FILES = ROOT / "tests" / "corpus" / "rejected"
_NOTE = "<!-- Written by `./dev docs` from docs/side-by-side.tsv; change it there. -->\n"
_TEXT = """\
# A hundred mistakes, side by side

This page compares the messages of ptx-ls and ptxas 13.5 for the same mistakes. Each entry shows all
messages of ptx-ls, with the text that they underline, and the first message of ptxas. ptxas names
only a line, and often stops at the first error. ptx-ls reports all errors, and underlines the words
that cause them.
"""
_TARGET = re.compile(r"\.target\s+(sm_\w+)")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """A mistake: its family, the file that makes it, and where and what ptxas reports first."""

    family: str
    name: str
    line: str = ""
    message: str = ""

    @property
    def path(self) -> Path:
        """The file with the mistake."""
        return _FILES / f"{self.name}.ptx"


def rows() -> list[Row]:
    """The recorded mistakes, in the order of the page."""
    lines = RECORD.read_text("utf-8").splitlines()
    return [Row(*line.split("\t")) for line in lines]


def page() -> str:
    """The page, with what ptx-ls says now."""
    parts = [_NOTE, unwrapped(_TEXT)]
    for family, members in groupby(rows(), lambda row: row.family):
        parts.append(f"## {family}\n\n{''.join(_entry(row) for row in members)}")
    return "\n".join(parts)


def _entry(row: Row) -> str:
    document = Document.read(row.path.read_bytes().decode())
    errors = [found for found in lint(document) if found.severity is Severity.ERROR]
    place = f"line {row.line}: " if row.line else ""
    ours = "".join(f"- ptx-ls: {_said(document, found)}\n" for found in errors)
    return (
        f"**{row.name}**\n\n{_excerpt(document, errors)}\n{ours}- ptxas: {place}{row.message}\n\n"
    )


def _said(document: Document, found: Diagnostic) -> str:
    """`line 17, columns 2 to 5: the message (rule)`; columns from 1."""
    start, end = found.range.start, found.range.end
    text = document.lines[start.line][start.column : end.column] if start.line == end.line else ""
    place = f"line {start.line + 1}, column {start.column + 1}"
    marked = f", ``{text}``" if text.strip() else ""
    fix = f"; fix: {found.fixes[0].title}" if found.fixes else ""
    see = "".join(
        f"; see line {related.range.start.line + 1}: {related.message}" for related in found.related
    )
    return f"{place}{marked}: **{found.message}** ({found.rule}{see}{fix})"


def _excerpt(document: Document, errors: Iterable[Diagnostic]) -> str:
    """The lines with errors, as code."""
    numbers = sorted({min(found.range.start.line, len(document.lines) - 1) for found in errors})
    lines = "".join(document.lines[number].strip() + "\n" for number in numbers)
    return f"```ptx\n{lines}```\n"


def record() -> bool:
    """Asks ptxas again, and writes what it says; returns whether that has changed."""
    program = ptxas.find()
    if program is None:
        raise FileNotFoundError(ptxas.INSTALL_HINT)
    text = "".join(
        f"{row.family}\t{row.name}\t{row.line}\t{row.message}\n" for row in asked(program)
    )
    has_changed = text != RECORD.read_text("utf-8")
    RECORD.write_text(text, "utf-8", newline="\n")
    return has_changed


def asked(program: Path) -> Iterator[Row]:
    """The rows with what ptxas says now."""
    for row in rows():
        code = _COMMENT.sub(" ", row.path.read_text("utf-8"))
        target = _TARGET.search(code)
        run = ptxas.run(program, row.path, target[1] if target else "sm_90")
        first = next(message for message in run.messages if message.is_error)
        line = str(first.line) if first.line is not None else ""
        said = re.sub(r"\s+", " ", first.text.replace(str(row.path), row.path.name)).strip()
        yield replace(row, line=line, message=said)
