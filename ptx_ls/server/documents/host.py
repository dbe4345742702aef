"""The open documents of a session, as the parts of the server that serve one of them see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from lsprotocol import types

    from ptx_ls.server.client_state.settings import Settings
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.source.columns import ColumnUnit

Result = TypeVar("Result")


class DocumentHost(Protocol):
    """Holds the open documents, and everything needed to serve them."""

    unit: ColumnUnit
    """The unit in which the client counts columns."""

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """The capabilities of the client."""
        ...

    @property
    def is_restricted(self) -> bool:
        """Whether the user does not trust the workspace."""
        ...

    def get(self, uri: str) -> OpenDocument | None:
        """Returns an open document."""
        ...

    def settings_of(self, uri: str) -> Settings:
        """Returns the user's settings for a document."""
        ...

    async def wait(self, uri: str | None) -> None:
        """Waits until a document is read; with None, until all are."""

    async def run(self, work: Callable[[Callable[[], bool]], Result]) -> Result:
        """Runs `work(should_stop)` on a thread."""
        ...
