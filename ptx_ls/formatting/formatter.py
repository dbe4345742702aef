"""Lays out whole texts, documents and parts of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.document import Document
from ptx_ls.formatting.changes import changes, text_of
from ptx_ls.formatting.engine import lay_out_lines
from ptx_ls.formatting.window import (
    level_at,
    source_around,
    source_of,
    unmatched_around,
    widened,
)
from ptx_ls.semantics.recognition import NO_HEADER, begins_as_ptx, cannot_read, why_not_ptx

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.formatting.changes import LineReplacement
    from ptx_ls.formatting.style import FormatStyle
    from ptx_ls.source import LineSpan, Position
    from ptx_ls.syntax.reader import Reader


def formatted(text: str, style: FormatStyle, reader: Reader | None = None) -> str:
    """Returns the text after layout."""
    return formatted_document(Document.read(text, reader), style)


def formatted_document(document: Document, style: FormatStyle) -> str:
    """Returns the text of a document after layout."""
    source = source_of(document)
    layout = lay_out_lines(source, (0, len(source.lines)), 0, style)
    assert layout is not None  # noqa: S101  it is not stopped
    return text_of(layout, source.lines)


def format_document(
    document: Document,
    style: FormatStyle,
    should_stop: Callable[[], bool] = bool,
    spans: Sequence[LineSpan] | None = None,
) -> list[LineReplacement]:
    """Returns the changes to a whole document, or to `spans` of it; none if it was stopped."""
    source = source_of(document)
    whole = 0, len(source.lines)
    layout = lay_out_lines(source, whole, 0, style, should_stop)
    if layout is None:
        return []
    return changes(layout, source.lines, [whole] if spans is None else spans)


def touched(start: Position, end: Position) -> LineSpan:
    """Returns the lines of a range, without the last one if the range ends at its start."""
    ends_before = end.column == 0 and end.line > start.line
    return start.line, max(start.line, end.line - ends_before) + 1


def refusal(document: Document, spans: Sequence[LineSpan] | None = None) -> str:
    """Returns why a document, or `spans` of its lines, is not formatted; "" if it is."""
    if spans is None:
        return why_not_ptx(document)
    if not begins_as_ptx(document.lines, document.records):
        return NO_HEADER
    for first, stop in spans:
        unmatched = {line for line, _ in unmatched_around(document, (first, stop))}
        for line, record in enumerate(document.records[first:stop], first):
            if line in unmatched or record.problems:
                return cannot_read(line)
    return ""


def format_around(
    document: Document, spans: Sequence[LineSpan], style: FormatStyle
) -> list[LineReplacement]:
    """Returns the changes of the units that touch lines [first, stop) of one of `spans`.

    They equal those of the whole document if at most a few hundred lines around are aligned
    with them. The time is proportional to the number of lines from the first span to the last.
    """
    first, stop = widened(document, min(spans)[0], max(stop for _, stop in spans))
    before = max(0, first - 1)  # one more line on either side shows where the text begins and ends
    source = source_around(document, before, stop + 1)
    window = first - before, stop - before
    layout = lay_out_lines(source, window, level_at(document, first), style)
    assert layout is not None  # noqa: S101  it is not stopped
    return changes(layout.moved(before), document.lines, spans)
