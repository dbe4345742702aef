"""The client of a session, as the parts of the server see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_ls.server.client_state.rights import Rights
    from ptx_ls.server.protocol.connection import Connection
    from ptx_ls.server.workspace.folders import Folders


class Client(Protocol):
    """What is known of the client, and the way to it.

    Attributes:
        connection: the way to the client.
        client_capabilities: what the client can do.
        position_encoding: what the client counts columns in.
        folders: the folders that the client works in.
        rights: what the client may have the server do.
        is_restricted: whether the client says that its user does not trust the workspace.
        shows_images: whether the client shows images in Markdown.
    """

    connection: Connection
    client_capabilities: types.ClientCapabilities
    position_encoding: types.PositionEncodingKind | str
    folders: Folders
    rights: Rights
    is_restricted: bool
    shows_images: bool

    def show_message(self, text: str, kind: types.MessageType) -> None:
        """Tells the user something."""

    def warn(self, problem: str) -> None:
        """Warns the user."""

    def change_folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Takes note that the client works in other folders."""

    def silence(self) -> float:
        """For how many seconds nothing came, and no answer about a document was waited for."""
        ...
