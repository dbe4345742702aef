"""Notifications about folders, files and progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.files.search import is_ptx

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session


def did_change_folders(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Scans new folders, forgets removed ones, and requests the settings of all folders."""
    session.client.change_folders(params.event)


def did_save(
    session: Session, opened: OpenDocument, _params: types.DidSaveTextDocumentParams
) -> None:
    """Indexes the file, and runs ptxas on the document if the user wants that.

    Diagnostics are those of the saved text from now on, even if a statement is unfinished.
    Also reads changed configurations, as some clients do not report changes of files.
    """
    session.begin(session.settle())
    checker = session.checkers.get(opened)
    if checker is not None:
        checker.end_typing()
    session.files.released(opened.uri)
    session.ptxas.saved(opened)


def did_change_watched(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    """Updates the index and the settings after other programs changed files."""
    _told(session, [change.uri for change in params.changes])


def did_create(session: Session, params: types.CreateFilesParams) -> None:
    """Indexes files and directories that the user created."""
    _told(session, [file.uri for file in params.files])


def did_rename(session: Session, params: types.RenameFilesParams) -> None:
    """Indexes files and directories under their new names."""
    _told(session, [uri for file in params.files for uri in (file.old_uri, file.new_uri)])


def did_delete(session: Session, params: types.DeleteFilesParams) -> None:
    """Forgets files and directories that the user deleted."""
    _told(session, [file.uri for file in params.files])


def did_cancel_progress(session: Session, params: types.WorkDoneProgressCancelParams) -> None:
    """Stops the work that the user has cancelled."""
    session.progress.cancel(params.token)


def _told(session: Session, uris: list[str]) -> None:
    """Takes the URIs of files and directories that may have changed."""
    session.files.told(uris)
    if not all(map(is_ptx, uris)):  # a configuration, or a directory that may have one
        session.begin(session.settle())
