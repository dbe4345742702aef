"""Asks the client to watch for PTX files that other programs write."""

from __future__ import annotations

from typing import Final

from lsprotocol import types
from pygls.capabilities import get_capability

_FILES: Final = "**/*.{ptx,PTX}"

FILE_OPERATIONS: Final = types.FileOperationRegistrationOptions(
    [
        types.FileOperationFilter(types.FileOperationPattern(glob, matches=kind), scheme="file")
        for glob, kind in (
            (_FILES, types.FileOperationPatternKind.File),
            ("**", types.FileOperationPatternKind.Folder),
        )
    ]
)
"""Files and directories that the user makes, moves or deletes within the editor."""


def registrations(able: types.ClientCapabilities) -> list[types.Registration]:
    """Returns the registrations of watchers; none if the client cannot watch for a server."""
    ability = "workspace.did_change_watched_files.dynamic_registration"
    if get_capability(able, ability) is not True:
        return []
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(_FILES)])
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    return [types.Registration("files", method, options)]
