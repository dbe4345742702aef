"""Counts the lines of hovers on the instructions of real code.

Each spelling of an opcode with modifiers counts once, at the first place where it is written. Lines
are those of the text without its markup, as a terminal shows it, wrapped and with blank lines.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from benchmarks import inputs
from benchmarks.figures import Figure, quantile
from ptx_ls.document.document import Document
from ptx_ls.features import markup
from ptx_ls.features.hover.hover import hover
from ptx_ls.features.plain import plain
from ptx_ls.features.synchronization.state_at import state_at
from ptx_ls.features.threads.agreement_at import agreement_at
from ptx_ls.isa import database
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position
from ptx_ls.syntax.record import Shape
from tests.corpus.make import PRODUCTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WIDTH: Final = 80
"""Width of a hover, in characters."""
_MAX_CHARACTERS: Final = 400_000


def measure() -> Iterator[Figure]:
    """Yields the median and the ninth decile of the number of lines."""
    found = lengths()
    counts = list(found.values())
    for name, share, goal in (("median", 0.5, 12), ("ninth decile", 0.9, 20)):
        remark = f"{len(found):,} spellings of {len(_opcodes(found))} opcodes"
        if share > 0.5:  # noqa: PLR2004  the median
            longest = sorted(found, key=lambda spelling: -found[spelling])[:3]
            remark = f"longest: {', '.join(f'{each} {found[each]}' for each in longest)}"
        yield Figure(f"lines of a hover, {name}", quantile(counts, share), "", goal, remark)


def lengths() -> dict[str, int]:
    """Maps each spelling of an opcode with modifiers to the number of lines of its hover."""
    found: dict[str, int] = {}
    known = database().opcodes
    for path in _files():
        document = Document.read(path.read_text("utf-8", errors="replace"))
        for row, record in enumerate(document.records):
            if not isinstance(record, Shape) or record.name not in known:
                continue
            if record.opcode not in found:
                column = document.lines[row].find(record.opcode)
                found[record.opcode] = n_lines(document, Position(row, max(column, 0)))
    return found


def n_lines(document: Document, position: Position) -> int:
    """Returns the number of lines of the hover at a position."""
    analysis = Analysis(document)
    shown = hover(analysis, position)
    threads = agreement_at(analysis, position), state_at(analysis, position)
    text = plain(markup.paragraphs(*threads, shown.markdown if shown is not None else ""))
    return sum(max(1, len(textwrap.wrap(line, WIDTH))) for line in text.split("\n"))


def _opcodes(spellings: dict[str, int]) -> set[str]:
    return {spelling.partition(".")[0] for spelling in spellings}


def _files() -> list[Path]:
    """Returns the files of the corpus, and the files of compilers that benchmarks have made."""
    folders = PRODUCTS, PRODUCTS.parent / "handwritten", inputs.CACHE
    paths = (path for folder in folders for path in sorted(folder.rglob("*.ptx")))
    return [path for path in paths if path.stat().st_size < _MAX_CHARACTERS]
