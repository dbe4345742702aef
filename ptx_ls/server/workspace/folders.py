"""The workspace folders of the client, with the URIs that it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lsprotocol import types


class Folders:
    """The folders of one session."""

    def __init__(self) -> None:
        self._uris: dict[str, str] = {}  # by their percent-decoded spelling
        self._root: str | None = None  # of a client without support for workspace folders

    def begin(self, params: types.InitializeParams) -> None:
        """Takes the folders of `initialize`, or the root that older clients send instead."""
        if params.workspace_folders:
            self._add(params.workspace_folders)
        elif params.root_uri is not None:
            self._root = params.root_uri
        elif params.root_path is not None:
            self._root = _uri(params.root_path)

    def change(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Takes a change of folders."""
        for folder in event.removed:
            self._uris.pop(unquote(folder.uri), None)
        self._add(event.added)

    @property
    def uris(self) -> list[str]:
        """The URIs of the folders."""
        if not self._uris and self._root:
            return [self._root]
        return list(self._uris.values())

    def _add(self, folders: Iterable[types.WorkspaceFolder]) -> None:
        self._uris.update({unquote(folder.uri): folder.uri for folder in folders})


def _uri(path: str) -> str | None:
    try:
        return uris.from_path(path)
    except ValueError:  # not an absolute path
        return None
