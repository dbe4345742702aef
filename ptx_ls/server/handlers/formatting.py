"""Layout of documents, of parts of them, and of what is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pygls.exceptions import JsonRpcContentModified

from ptx_ls.features.format_on_type import format_on_type
from ptx_ls.formatting.changes import Change
from ptx_ls.formatting.formatter import format_around, format_source
from ptx_ls.formatting.window import source_of
from ptx_ls.server import from_lsp
from ptx_ls.source.columns import to_units
from ptx_ls.source.lines import content_length

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lsprotocol import types

    from ptx_ls.server.documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source.columns import ColumnUnit

_FEW_LINES: Final = 500
"""Lines that are laid out sooner than a worker is woken and given the document."""
_MANY: Final = 10_000
"""Changed lines from which on neighbours are replaced together: the answer would be too large."""


async def document(
    session: Session, params: types.DocumentFormattingParams
) -> list[dict[str, Any]] | None:
    """Lays out a document."""
    opened = session.get(params.text_document.uri)
    return None if opened is None else await _whole(session, opened)


async def before_save(
    session: Session, params: types.WillSaveTextDocumentParams
) -> list[dict[str, Any]] | None:
    """Lays out a document that is about to be saved, if the user wants that."""
    opened = session.get(params.text_document.uri)
    if opened is None or not session.settings_of(opened.uri).format_on_save:
        return None
    return await _whole(session, opened)


async def part(
    session: Session, params: types.DocumentRangeFormattingParams
) -> list[dict[str, Any]] | None:
    """Lays out the statements that a range touches."""
    opened = session.get(params.text_document.uri)
    return None if opened is None else await _parts(session, opened, [params.range])


async def parts(
    session: Session, params: types.DocumentRangesFormattingParams
) -> list[dict[str, Any]] | None:
    """Lays out the statements that ranges touch."""
    opened = session.get(params.text_document.uri)
    return None if opened is None else await _parts(session, opened, params.ranges)


def typed(
    session: Session, params: types.DocumentOnTypeFormattingParams
) -> list[dict[str, Any]] | None:
    """Lays out the statement that the user has just finished, and indents a new line."""
    opened = session.get(params.text_document.uri)
    if opened is None:
        return None
    place = from_lsp.position(opened, params.position)
    found = format_on_type(opened.document, place, params.ch, session.settings_of(opened.uri).style)
    return _edits(found, opened.document.lines, opened.unit)


async def _whole(session: Session, opened: OpenDocument) -> list[dict[str, Any]]:
    return await _on_worker(session, opened, [(0, len(opened.document.lines))])


async def _parts(
    session: Session, opened: OpenDocument, ranges: Sequence[types.Range]
) -> list[dict[str, Any]]:
    spans = [_span(opened, area) for area in ranges]
    if not spans:
        return []
    if max(stop for _, stop in spans) - min(spans)[0] > _FEW_LINES:
        return await _on_worker(session, opened, spans)
    found = format_around(opened.document, spans, session.settings_of(opened.uri).style)
    return _edits(found, opened.document.lines, opened.unit)


async def _on_worker(
    session: Session, opened: OpenDocument, spans: Sequence[tuple[int, int]]
) -> list[dict[str, Any]]:
    source, unit = source_of(opened.document), opened.unit
    style = session.settings_of(opened.uri).style
    revision = opened.revision

    def work(should_stop: Callable[[], bool]) -> list[dict[str, Any]]:
        def is_in_vain() -> bool:
            return should_stop() or opened.revision != revision

        return _edits(format_source(source, style, is_in_vain, spans), source.lines, unit)

    edits = await session.run(work)
    if opened.revision != revision:
        raise JsonRpcContentModified("the document has changed")
    return edits


def _span(opened: OpenDocument, area: types.Range) -> tuple[int, int]:
    """The lines of a range; one that ends where a line begins does not touch that line."""
    start, end = from_lsp.bounds(opened, area)
    ends_before = end.column == 0 and end.line > start.line
    return start.line, max(start.line, end.line - ends_before) + 1


def _edits(found: Sequence[Change], lines: Sequence[str], unit: ColumnUnit) -> list[dict[str, Any]]:
    """Changes as JSON. Lines that stay lines have edits of their own, without what they keep."""
    is_large = sum(len(change.lines) for change in found) > _MANY
    edits: list[dict[str, Any]] = []
    for change in found:
        if is_large or len(change.lines) != change.stop - change.first:
            edits.append(_block(change, lines, unit))
            continue
        for line, new in enumerate(change.lines, change.first):
            old = lines[line]
            if not new.endswith(old[content_length(old) :]):
                edits.append(_block(Change(line, line + 1, [new]), lines, unit))
            elif old != new:
                edits.append(_line(line, old, new, unit))
    return edits


def _block(change: Change, lines: Sequence[str], unit: ColumnUnit) -> dict[str, Any]:
    text = "".join(change.lines)
    if change.stop < len(lines):
        return _edit((change.first, 0), (change.stop, 0), text)
    last = len(lines) - 1
    start = change.first, 0
    if change.first > last:
        start = last, to_units(lines[last], len(lines[last]), unit)
    return _edit(start, (last, to_units(lines[last], len(lines[last]), unit)), text)


def _line(line: int, old: str, new: str, unit: ColumnUnit) -> dict[str, Any]:
    start, stop = 0, content_length(old)
    end = len(new) - (len(old) - stop)
    while start < min(stop, end) and old[start] == new[start]:
        start += 1
    while start < min(stop, end) and old[stop - 1] == new[end - 1]:
        stop, end = stop - 1, end - 1
    place = (line, to_units(old, start, unit)), (line, to_units(old, stop, unit))
    return _edit(*place, new[start:end])


def _edit(start: tuple[int, int], end: tuple[int, int], text: str) -> dict[str, Any]:
    return {
        "range": {
            "start": {"line": start[0], "character": start[1]},
            "end": {"line": end[0], "character": end[1]},
        },
        "newText": text,
    }
