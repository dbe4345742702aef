"""Asks the client to watch for PTX files and configurations that other programs write."""

from __future__ import annotations

from typing import Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.server.capabilities import PTX_FILES

_CONFIGURATION_FILES: Final = ("**/*.toml", "**/.editorconfig", "**/.gitignore")
"""The patterns of files on which settings depend; `extend` may lead to a file with any name."""


def registrations(able: types.ClientCapabilities) -> list[types.Registration]:
    """Returns the registrations of watchers; none if the client cannot watch for a server."""
    ability = "workspace.did_change_watched_files.dynamic_registration"
    if get_capability(able, ability) is not True:
        return []
    watchers = [types.FileSystemWatcher(each) for each in (PTX_FILES, *_CONFIGURATION_FILES)]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    return [types.Registration("files", method, options)]
