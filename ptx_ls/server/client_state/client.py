"""The client of a session, as the parts of the server see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_ls.server.client_state.abilities import ClientAbilities
    from ptx_ls.server.client_state.rights import Rights
    from ptx_ls.server.protocol.connection import Connection
    from ptx_ls.server.workspace.folders import Folders


class Client(Protocol):
    """The client: its capabilities and state, and the connection to it.

    Attributes:
        connection: the connection to the client.
        client_capabilities: the capabilities of the client.
        abilities: those on which the answer to `initialize` depends.
        folders: the workspace folders of the client.
        rights: what the client may make the server do.
        is_restricted: whether the client reports that its user does not trust the workspace.
        shows_images: whether the client shows images in Markdown.
    """

    connection: Connection
    client_capabilities: types.ClientCapabilities
    abilities: ClientAbilities
    folders: Folders
    rights: Rights
    is_restricted: bool
    shows_images: bool

    def show_message(self, text: str, kind: types.MessageType) -> None:
        """Shows the user a message."""

    def warn(self, problem: str) -> None:
        """Warns the user."""

    def change_folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Records a change of the client's folders."""

    def silence(self) -> float:
        """Returns the seconds since the last message; 0 while a document request is pending."""
        ...
