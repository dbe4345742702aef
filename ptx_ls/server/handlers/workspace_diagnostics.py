"""The diagnostics of all files of the workspace, for a client that pulls them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.server.protocol.encoding import Encoded, of_list, of_object, with_field
from ptx_ls.source import Severity, uris

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from lsprotocol import types

    from ptx_ls.server.client_state.progress import WorkDoneProgress
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.server.workspace.index import IndexedFile

    Json = dict[str, Any]

_TITLE: Final = "Checking PTX"
_MAX_FILES_OF_BATCH: Final = 20
"""Number of files whose diagnostics are sent together."""


async def pull(session: Session, params: types.WorkspaceDiagnosticParams) -> Encoded:
    """Reports on each file, in parts if the client accepts partial results."""
    previous = {uris.normalized(it.uri): it.value for it in params.previous_result_ids}
    progress = session.progress.start(_TITLE, params.work_done_token)
    token = params.partial_result_token
    rows: list[str] = []
    try:
        async for report in _reports(session, previous, progress):
            rows.append(report.text)
            if token is not None and len(rows) >= _MAX_FILES_OF_BATCH:
                session.progress.send_part(token, _items(rows))
                rows = []
    finally:
        progress.end()
    if token is not None and rows:
        session.progress.send_part(token, _items(rows))
        rows = []
    return _items(rows)


def _items(rows: list[str]) -> Encoded:
    return with_field({}, "items", of_list(rows))


async def count(session: Session, progress: WorkDoneProgress) -> Json:
    """Checks all files; returns their number and the numbers of diagnostics by severity."""
    n_files = 0
    counts: Counter[Severity] = Counter()
    files = _closed(session)
    opened = session.documents
    for document in opened:
        counts += await session.checkers.counts(document)
        n_files += 1
    for file in files:
        checked = await session.closed_files.get(file.path)
        if checked is not None:
            counts += checked.counts
            n_files += 1
        progress.report(n_files, len(opened) + len(files))
        if progress.is_cancelled:
            break
    return {"files": n_files, **{severity.value: counts[severity] for severity in Severity}}


async def _reports(
    session: Session, previous: Mapping[str, str], progress: WorkDoneProgress
) -> AsyncIterator[Encoded]:
    """Yields a report for each file, which is empty for files that have disappeared."""
    await session.files.ready(None)
    session.closed_files.are_pulled = True
    opened, files = sorted(session.documents, key=_uri), _wanted(session)
    told: set[str] = set()
    for document in opened:
        uri = uris.normalized(document.uri)
        told.add(uri)
        report = await session.report(document.uri, previous.get(uri))
        version = document.version if session.get(uri) is document else None
        yield report.prefixed_by({"uri": document.uri, "version": version})
    same = await session.closed_files.unchanged(
        {file.path: previous[file.uri] for file in files if file.uri in previous}
    )
    for number, (path, uri) in enumerate(((file.path, file.uri) for file in files), 1):
        if progress.is_cancelled:
            return
        checked = same.get(path) or await session.closed_files.get(path, previous.get(uri))
        progress.report(number, len(files))
        if checked is None or session.get(uri) is not None:
            continue
        told.add(uri)
        fields: Json = {"uri": uri, "version": None, "resultId": checked.result_id}
        if checked.items is None:
            yield of_object({**fields, "kind": "unchanged"})
        else:
            yield of_object({**fields, "kind": "full", "items": checked.items})
    for uri in previous.keys() - told:
        if session.get(uri) is None:
            yield of_object({"uri": uri, "version": None, "kind": "full", "items": []})


def _uri(document: OpenDocument) -> str:
    return uris.normalized(document.uri)


def _closed(session: Session) -> list[IndexedFile]:
    """Returns the files that are not open, sorted by path."""
    found = [file for file in session.files.index if session.get(file.uri) is None]
    return sorted(found, key=lambda file: file.path)


def _wanted(session: Session) -> list[IndexedFile]:
    """Returns the closed files of folders whose settings turn this on; all if none does."""
    found = _closed(session)
    if not session.client.configuration.wants_all_files:  # the client pulls although this is off
        return found
    return [file for file in found if session.settings_of(file.uri).workspace_diagnostics]
