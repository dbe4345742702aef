"""Layout of PTX text: white space changes, and nothing else.

`formatted` is for whole texts, `format_source` for an editor's document or a part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.formatting.changes import Change, changes, text_of
from ptx_ls.formatting.engine import Source, lay_out_lines
from ptx_ls.formatting.style import OPTIONS, Option, Style
from ptx_ls.formatting.window import level_at, source_around, source_of, widened
from ptx_ls.syntax.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.syntax.reader import Reader

__all__ = (
    "OPTIONS",
    "Change",
    "Option",
    "Source",
    "Style",
    "format_around",
    "format_source",
    "formatted",
    "level_at",
    "source_of",
)


def formatted(text: str, style: Style, reader: Reader | None = None) -> str:
    """The text laid out."""
    source = source_of(Document(text, reader))
    layout = lay_out_lines(source, (0, len(source.lines)), 0, style)
    assert layout is not None  # noqa: S101  nobody stops it
    return text_of(layout, source.lines)


def format_source(
    source: Source, style: Style, should_stop: Callable[[], bool] = bool
) -> list[Change]:
    """What changes in a whole document; nothing if it was stopped."""
    span = 0, len(source.lines)
    layout = lay_out_lines(source, span, 0, style, should_stop)
    return changes(layout, source.lines, span) if layout is not None else []


def format_around(document: Document, span: tuple[int, int], style: Style) -> list[Change]:
    """What changes in the units that touch the lines [first, stop) of `span`.

    The same as in the whole document, where no more than some hundred lines around are aligned
    with them.
    """
    window = widened(document, *span)
    source = source_around(document, window)
    layout = lay_out_lines(source, window, level_at(document, window[0]), style)
    assert layout is not None  # noqa: S101  nobody stops it
    return changes(layout, source.lines, span)
