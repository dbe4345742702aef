"""The settings of a session: those of each workspace folder, and those for all other files.

A client that supports `workspace/configuration` is asked for both. Settings that a client pushes
apply to all folders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.server.client_state import settings
from ptx_ls.server.client_state.client import Client
from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from concurrent.futures import Future

    from ptx_ls.server.client_state.settings import Settings

_SHALLOW: Final = types.ConfigurationItem(section=settings.SECTION)


class Configuration:
    """The settings of the user.

    Attributes:
        everywhere: the settings of documents that are in no folder with its own settings.
    """

    def __init__(
        self, client: Client, on_change: Callable[[], None], on_problem: Callable[[str], None]
    ) -> None:
        self.everywhere = settings.Settings()
        self._unasked = self.everywhere
        self._client = client
        self._on_change = on_change
        self._on_problem = on_problem
        self._of_folders: dict[str, Settings] = {}  # by normalized URIs, innermost first
        self._n_asked = 0

    def of(self, uri: str) -> Settings:
        """Returns the settings of a document: those of the innermost folder that contains it."""
        if self._of_folders:
            uri = uris.normalized(uri)
            for folder, own in self._of_folders.items():
                if uri.startswith(folder):
                    return own
        return self.everywhere

    def in_use(self) -> list[Settings]:
        """Returns the settings of all folders and those for all other files."""
        return [self.everywhere, *self._of_folders.values()]

    @property
    def wants_all_files(self) -> bool:
        """Whether the user wants closed files to be checked in any folder."""
        return any(each.workspace_diagnostics for each in self.in_use())

    def ask(self) -> None:
        """Asks the client, if it supports that, for the general settings and for each folder's."""
        able = get_capability(self._client.client_capabilities, "workspace.configuration")
        if able is not True:
            return
        self._n_asked = number = self._n_asked + 1
        folders = self._client.folders.uris

        def answered(answer: Future[Sequence[Any]]) -> None:
            if answer.cancelled() or answer.exception() is not None:
                return  # the session ends, or the client failed
            if number == self._n_asked:  # else there is a newer request
                sent = [*answer.result(), *[None] * len(items)]
                self._take(sent[0], dict(zip(folders, sent[1:], strict=False)))

        items = [_SHALLOW, *(types.ConfigurationItem(uri, settings.SECTION) for uri in folders)]
        params = types.ConfigurationParams(items)
        asked = self._client.connection.request(types.WORKSPACE_CONFIGURATION, params)
        asked.add_done_callback(answered)

    def take(self, sent: object) -> None:
        """Takes settings that a client pushed; they apply to all folders.

        Settings in a later answer of the client replace them.
        """
        if sent is not None:
            self._n_asked += 1  # earlier requests are older
            self._unasked, problems = self._read(sent)
            self._use(self._unasked, {}, problems)

    def _take(self, sent: object, of_folders: Mapping[str, object]) -> None:
        """Takes a client's answer: the settings for all files, and those of each folder by URI."""
        everywhere = self._unasked
        problems: list[str] = []
        if sent is not None:
            everywhere, problems = self._read(sent)
        own: dict[str, Settings] = {}
        for uri, sent_for in sorted(of_folders.items(), key=lambda it: -len(it[0])):
            if sent_for is not None:
                key = uris.normalized(uri).rstrip("/") + "/"
                own[key], wrong = self._read(sent_for)
                problems = [*problems, *wrong]
        self._use(everywhere, own, problems)

    def _read(self, sent: object) -> tuple[Settings, list[str]]:
        return settings.read(sent, reaches_out=self._client.rights.reaches_out)

    def _use(
        self, everywhere: Settings, of_folders: dict[str, Settings], problems: Iterable[str]
    ) -> None:
        before = self.in_use(), list(self._of_folders)
        self.everywhere, self._of_folders = everywhere, of_folders
        for problem in dict.fromkeys(problems):
            self._on_problem(problem)
        if (self.in_use(), list(self._of_folders)) != before:
            self._on_change()


class ConfiguredClient(Client, Protocol):
    """A client with its user's settings."""

    configuration: Configuration
