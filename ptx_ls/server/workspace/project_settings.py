"""The settings of documents, from the editor and from the configuration files of projects."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, Protocol

from lsprotocol import types

from ptx_ls.server.scheduling import background
from ptx_ls.server.workspace.configuration_access import ReadableFolders
from ptx_ls.server.workspace.editor_values import EditorValues, values_of
from ptx_ls.server.workspace.project_files import DocumentSettings, ProjectFiles, WantedSettings
from ptx_ls.source import uris
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.printable import on_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.server.client_state.configuration import ConfiguredClient
    from ptx_ls.server.client_state.settings import Settings

PATIENCE: Final = 1.0
"""Seconds after which a document is checked although its configuration has not been read."""

_MAX_MESSAGE_LENGTH: Final = 1000
"""Maximum number of characters of a mistake that is shown."""
_MAX_KNOWN: Final = 100
"""Maximum number of different settings whose values are kept."""


class SettingsHost(Protocol):
    """The parts of a session that `ProjectSettings` needs."""

    client: ConfiguredClient

    @property
    def folders(self) -> list[str]:
        """The paths of the client's folders that may be read."""
        ...

    @property
    def is_restricted(self) -> bool:
        """Whether the user does not trust the workspace."""
        ...

    def settings_of(self, uri: str) -> Settings:
        """Returns the user's settings for a document."""
        ...


class RefreshedSettings(NamedTuple):
    """The settings of some documents, new mistakes in files, and whether any file has changed."""

    settings: list[DocumentSettings]
    problems: list[str]
    has_changed: bool


class ProjectSettings:
    """Resolves settings on a thread of its own, as a disk may take long. Use it on the event loop.

    Results come in the order of the calls.
    """

    def __init__(self, host: SettingsHost) -> None:
        self._host = host
        self._executor = ThreadPoolExecutor(1, "ptx-ls configuration")
        self._files = ProjectFiles()  # used by the thread only
        self._values: dict[Settings, EditorValues] = {}

    async def of(self, uris_: Sequence[str], *, are_open: bool) -> list[DocumentSettings]:
        """Returns the settings of documents, by the files as they were read last."""
        wanted, folders = self._wanted(uris_, are_open=are_open), self._folders()
        found, problems = await background.run(
            self._executor, lambda _stop: self._files.settings(wanted, folders)
        )
        self._tell(problems)
        return found

    def refreshed(self, uris_: Sequence[str]) -> asyncio.Future[RefreshedSettings]:
        """Reads changed files again; returns the future settings of open documents.

        It is not a coroutine, so that later calls of `of` have later results, too.
        """
        wanted, folders = self._wanted(uris_, are_open=True), self._folders()

        def work() -> RefreshedSettings:
            has_changed = self._files.refresh(folders)
            return RefreshedSettings(*self._files.settings(wanted, folders), has_changed)

        try:
            reading = asyncio.get_running_loop().run_in_executor(self._executor, work)
        except RuntimeError as error:  # the session has ended
            raise asyncio.CancelledError from error
        reading.add_done_callback(self._tell_of)
        return reading

    def of_editor(self, uri: str) -> DocumentSettings:
        """Returns the settings of a document without any configuration file."""
        wanted = self._wanted([uri], are_open=True)[0]._replace(path=None)
        (found,), _ = ProjectFiles().settings([wanted], self._folders())
        return found

    def close(self) -> None:
        """Stops all work."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _wanted(self, uris_: Sequence[str], *, are_open: bool) -> list[WantedSettings]:
        return [WantedSettings(_path(uri), self._values_of(uri), are_open) for uri in uris_]

    def _values_of(self, uri: str) -> EditorValues:
        settings = self._host.settings_of(uri)
        if settings not in self._values:
            if len(self._values) > _MAX_KNOWN:
                self._values.clear()
            self._values[settings], problems = values_of(settings)
            for problem in problems:
                self._host.client.warn(problem)
        return self._values[settings]

    def _folders(self) -> ReadableFolders:
        host = self._host
        allowed = host.client.configuration.everywhere.source_folders
        if host.is_restricted:
            allowed = ()
        return ReadableFolders(tuple(host.folders), allowed, host.client.rights.may_read)

    def _tell_of(self, done: asyncio.Future[RefreshedSettings]) -> None:
        if not done.cancelled() and done.exception() is None:
            self._tell(done.result().problems)

    def _tell(self, problems: Sequence[str]) -> None:
        for problem in problems:
            shown = on_one_line(problem)[:_MAX_MESSAGE_LENGTH]
            text = f"{shown}. The last valid settings apply until this is corrected."
            self._host.client.show_message(text, types.MessageType.Warning)


def _path(uri: str) -> str | None:
    return uris.to_path(uris.normalized(uri))
