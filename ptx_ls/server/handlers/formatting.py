"""Formats documents, parts of them, and text that was just typed."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from ptx_ls.features.format_on_type import format_on_type
from ptx_ls.files.languages import other_language
from ptx_ls.formatting.changes import LineReplacement
from ptx_ls.formatting.formatter import format_around, format_document, refusal, touched
from ptx_ls.server.documents import from_lsp
from ptx_ls.server.protocol.encoding import Encoded, of_list
from ptx_ls.source.columns import to_units
from ptx_ls.source.lines import content_length

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.server.workspace.project_files import DocumentSettings
    from ptx_ls.source import LineSpan
    from ptx_ls.source.columns import ColumnUnit

    _Tell = Callable[[str, types.MessageType], None]

_log = logging.getLogger(__name__)
_REFUSED: Final = "not formatted, because it cannot be parsed as PTX"
_EXCLUDED: Final = "not formatted, because the project configuration excludes it"
_MAX_LINES_WITHOUT_WORKER: Final = 500
"""Maximum number of lines to format on the event loop, as waking a worker takes longer."""
_MAX_SEPARATE_EDITS: Final = 10_000
"""Number of changed lines above which adjacent ones share an edit, to keep the answer small."""


async def document(
    session: Session, opened: OpenDocument, _params: types.DocumentFormattingParams
) -> Encoded:
    """Formats a document."""
    return await _on_worker(session, opened, None, session.client.show_message)


async def before_save(
    session: Session, opened: OpenDocument, _params: types.WillSaveTextDocumentParams
) -> Encoded | None:
    """Formats a document that is about to be saved, if the user wants that."""
    if not session.settings_of(opened.uri).format_on_save:
        return None
    return await _on_worker(session, opened, None, _noted)


async def part(
    session: Session, opened: OpenDocument, params: types.DocumentRangeFormattingParams
) -> Encoded | list[dict[str, Any]]:
    """Formats the statements that a range touches."""
    return await _parts(session, opened, [params.range])


async def parts(
    session: Session, opened: OpenDocument, params: types.DocumentRangesFormattingParams
) -> Encoded | list[dict[str, Any]]:
    """Formats the statements that any of the ranges touch."""
    return await _parts(session, opened, params.ranges)


def typed(
    session: Session, opened: OpenDocument, params: types.DocumentOnTypeFormattingParams
) -> list[dict[str, Any]]:
    """Formats the statement that the user has just finished, or indents a new line."""
    known = session.checkers.known_settings(opened)
    settings = known or session.project.of_editor(opened.uri)
    if _obstacle(opened, settings):
        return []
    place = from_lsp.position(opened, params.position)
    found = format_on_type(opened.document, place, params.ch, settings.style)
    return _edits(found, opened.document.lines, opened.unit)


async def _parts(
    session: Session, opened: OpenDocument, ranges: Sequence[types.Range]
) -> Encoded | list[dict[str, Any]]:
    settings = await session.checkers.settings(opened)
    spans = [touched(*from_lsp.bounds(opened, area)) for area in ranges]
    if not spans:
        return []
    first, stop = min(spans)[0], max(stop for _, stop in spans)
    if stop - first > _MAX_LINES_WITHOUT_WORKER:
        return await _on_worker(session, opened, spans, session.client.show_message)
    if obstacle := _obstacle(opened, settings) or _refused(opened.document, spans):
        session.client.show_message(obstacle, types.MessageType.Warning)
        return []
    found = format_around(opened.document, spans, settings.style)
    return _edits(found, opened.document.lines, opened.unit)


async def _on_worker(
    session: Session,
    opened: OpenDocument,
    spans: Sequence[LineSpan] | None,
    tell: _Tell,
) -> Encoded:
    """Formats a document, or `spans` of its lines; reports why if it is not formatted."""
    settings = await session.checkers.settings(opened)
    document, unit = opened.document, opened.unit
    revision, obstacle = opened.revision, _obstacle(opened, settings)

    def work(should_stop: Callable[[], bool]) -> tuple[str, list[str]]:
        def is_in_vain() -> bool:
            return should_stop() or opened.revision != revision

        if reason := obstacle or _refused(document, spans):
            return reason, []
        found = format_document(document, settings.style, is_in_vain, spans)
        edits = _edits(found, document.lines, unit)
        return "", [json.dumps(edit) for edit in edits]

    reason, rows = await session.run(work)
    if opened.revision != revision:
        raise JsonRpcContentModified("the document has changed")
    if reason:
        tell(reason, types.MessageType.Warning)
    return of_list(rows)


def _obstacle(opened: OpenDocument, settings: DocumentSettings) -> str:
    """Returns why a document is never formatted; "" if it may be."""
    if settings.is_excluded:
        return _EXCLUDED
    language = other_language(opened.uri)
    return f"{_REFUSED}: {language}" if language else ""


def _refused(document: Document, spans: Sequence[LineSpan] | None) -> str:
    """Returns why the text of a document is not formatted; "" if it can be."""
    reason = refusal(document, spans)
    return f"{_REFUSED}: {reason}" if reason else ""


def _noted(text: str, _kind: types.MessageType) -> None:
    """Writes a refusal to the log only, as a user who saves did not request formatting."""
    _log.info(text)


def _edits(
    found: Sequence[LineReplacement], lines: Sequence[str], unit: ColumnUnit
) -> list[dict[str, Any]]:
    """Converts changes to JSON; a line that remains a single line gets a minimal edit."""
    is_large = sum(len(change.lines) for change in found) > _MAX_SEPARATE_EDITS
    edits: list[dict[str, Any]] = []
    for change in found:
        if is_large or len(change.lines) != change.stop - change.first:
            edits.append(_block(change, lines, unit))
            continue
        for line, new in enumerate(change.lines, change.first):
            old = lines[line]
            if not new.endswith(old[content_length(old) :]):
                edits.append(_block(LineReplacement(line, line + 1, [new]), lines, unit))
            elif old != new:
                edits.append(_line(line, old, new, unit))
    return edits


def _block(change: LineReplacement, lines: Sequence[str], unit: ColumnUnit) -> dict[str, Any]:
    text = "".join(change.lines)
    if change.stop < len(lines):
        return _edit(_at(change.first, 0), _at(change.stop, 0), text)
    last = len(lines) - 1
    end = _at(last, to_units(lines[last], len(lines[last]), unit))
    return _edit(end if change.first > last else _at(change.first, 0), end, text)


def _line(line: int, old: str, new: str, unit: ColumnUnit) -> dict[str, Any]:
    start, stop = 0, content_length(old)
    end = len(new) - (len(old) - stop)
    while start < min(stop, end) and old[start] == new[start]:
        start += 1
    while start < min(stop, end) and old[stop - 1] == new[end - 1]:
        stop, end = stop - 1, end - 1
    first, last = (_at(line, to_units(old, at, unit)) for at in (start, stop))
    return _edit(first, last, new[start:end])


def _edit(start: dict[str, int], end: dict[str, int], text: str) -> dict[str, Any]:
    return {"range": {"start": start, "end": end}, "newText": text}


def _at(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}
