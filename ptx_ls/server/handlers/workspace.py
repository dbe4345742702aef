"""The folders and files of the workspace, as they come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.server.session import Session


def did_change_folders(session: Session, _params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Looks through new folders, forgets others, and asks for the settings of all."""
    session.change_folders()


def did_change_watched(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    """Takes in what was written by others than the editor."""
    for change in params.changes:
        if change.type == types.FileChangeType.Deleted:
            _tell(session.files.deleted, change.uri)
        else:
            _tell(session.files.changed, change.uri)


def did_create(session: Session, params: types.CreateFilesParams) -> None:
    """Takes in files and directories that the user made."""
    for file in params.files:
        _tell(session.files.changed, file.uri)


def did_rename(session: Session, params: types.RenameFilesParams) -> None:
    """Takes in files and directories under their new names."""
    for file in params.files:
        _tell(session.files.deleted, file.old_uri)
        _tell(session.files.changed, file.new_uri)


def did_delete(session: Session, params: types.DeleteFilesParams) -> None:
    """Forgets files and directories that the user deleted."""
    for file in params.files:
        _tell(session.files.deleted, file.uri)


def did_cancel_progress(session: Session, params: types.WorkDoneProgressCancelParams) -> None:
    """Stops work that the user does not want to wait for."""
    session.progress.cancel(params.token)


def _tell(listener: Callable[[str], None], uri: str) -> None:
    path = uris.to_path(uris.normalized(uri))
    if path is not None:
        listener(path)
