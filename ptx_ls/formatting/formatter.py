"""Whole texts, documents and parts of them laid out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.formatting.changes import changes, text_of
from ptx_ls.formatting.engine import lay_out_lines
from ptx_ls.formatting.window import level_at, source_around, source_of, widened
from ptx_ls.syntax.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.formatting.changes import Change
    from ptx_ls.formatting.engine import Source
    from ptx_ls.formatting.style import Style
    from ptx_ls.syntax.reader import Reader


def formatted(text: str, style: Style, reader: Reader | None = None) -> str:
    """The text laid out."""
    source = source_of(Document(text, reader))
    layout = lay_out_lines(source, (0, len(source.lines)), 0, style)
    assert layout is not None  # noqa: S101  nobody stops it
    return text_of(layout, source.lines)


def format_source(
    source: Source,
    style: Style,
    should_stop: Callable[[], bool] = bool,
    spans: Sequence[tuple[int, int]] | None = None,
) -> list[Change]:
    """What changes in a whole document, or in `spans` of it; nothing if it was stopped."""
    whole = 0, len(source.lines)
    layout = lay_out_lines(source, whole, 0, style, should_stop)
    if layout is None:
        return []
    return changes(layout, source.lines, [whole] if spans is None else spans)


def format_around(
    document: Document, spans: Sequence[tuple[int, int]], style: Style
) -> list[Change]:
    """What changes in the units that touch lines [first, stop) of one of `spans`, at least one.

    The same as in the whole document, where no more than some hundred lines around are aligned
    with them. Costs time in proportion to the lines from the first span to the last one.
    """
    window = widened(document, min(spans)[0], max(stop for _, stop in spans))
    source = source_around(document, window)
    layout = lay_out_lines(source, window, level_at(document, window[0]), style)
    assert layout is not None  # noqa: S101  nobody stops it
    return changes(layout, source.lines, spans)
