"""Asks the client to watch for PTX files that other programs write."""

from __future__ import annotations

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.server.capabilities import PTX_FILES


def registrations(able: types.ClientCapabilities) -> list[types.Registration]:
    """Returns the registrations of watchers; none if the client cannot watch for a server."""
    ability = "workspace.did_change_watched_files.dynamic_registration"
    if get_capability(able, ability) is not True:
        return []
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(PTX_FILES)])
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    return [types.Registration("files", method, options)]
