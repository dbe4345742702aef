"""The open documents of a client, and the services that work on them."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.server.client_state import file_watchers
from ptx_ls.server.client_state.progress import ProgressBars
from ptx_ls.server.diagnostics.closed_files import ClosedFileDiagnostics
from ptx_ls.server.diagnostics.document_checkers import DocumentCheckers
from ptx_ls.server.diagnostics.ptxas_service import PtxasService
from ptx_ls.server.diagnostics.publish import DiagnosticPublisher
from ptx_ls.server.documents.open_documents import OpenDocument, OpenDocuments
from ptx_ls.server.documents.prefetch import prefetch, prefetch_large
from ptx_ls.server.documents.requirements import RequirementsCache
from ptx_ls.server.protocol.back_pressure import Publications
from ptx_ls.server.protocol.encoding import Encoded, of_list, with_field
from ptx_ls.server.scheduling import background, gc_policy
from ptx_ls.server.workspace.file_work import FileWork
from ptx_ls.server.workspace.files import WorkspaceFiles
from ptx_ls.server.workspace.project_settings import ProjectSettings
from ptx_ls.source.columns import ColumnUnit

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from ptx_ls.server.client_state.configuration import ConfiguredClient
    from ptx_ls.server.client_state.settings import Settings
    from ptx_ls.server.scheduling.background import Result

_log = logging.getLogger(__name__)

_N_WORKERS: Final = 4
"""Number of threads that check documents, so that a huge document does not delay a small one."""
_MAX_READ_AT_ONCE: Final = 2_000
"""Maximum number of characters to read on the event loop, as every line of some PTX is new."""
_MIN_LARGE_SIZE: Final = 2_000_000
"""Minimum number of characters of a document that pauses garbage collection; see gc_policy.py."""


class Session:
    """The open documents of one client and their diagnostics, pushed or pulled.

    Attributes:
        client: the client, with its capabilities, settings and rights.
        unit: the unit in which the client counts columns.
        project: the settings of documents, from the editor and from configuration files.
        checkers: the checkers of the documents.
        requirements: the versions and targets that the documents require.
        pulls: whether the client pulls diagnostics, so that none are pushed.
        can_refresh: whether the client can be asked to pull again.
        progress: work whose progress the client may show.
        file_work: reads and checks files that are not open.
        files: the files of the workspace, open or not.
        closed_files: the diagnostics of files that are not open.
        ptxas: the runs and messages of ptxas on the documents.
        folds_related: whether the client shows only the message of a diagnostic, without its
            related information.
        is_told_of_files: whether the client watches files and reports changes by other programs.
    """

    def __init__(self, client: ConfiguredClient) -> None:
        self.client = client
        self.unit = ColumnUnit(client.abilities.position_encoding)
        self._documents = OpenDocuments(self.unit, client.connection.pressure)
        self._large: set[OpenDocument] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._executor = ThreadPoolExecutor(_N_WORKERS, "ptx-ls lint")
        able = client.client_capabilities
        self.pulls = client.abilities.pulls_diagnostics
        self.can_refresh = get_capability(able, "workspace.diagnostics.refresh_support") is True
        notify = partial(
            client.connection.sender.notify_json, types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS
        )
        self._publications = Publications(client.connection.pressure, notify)
        self._publisher = DiagnosticPublisher(self)
        self.project = ProjectSettings(self)
        self.checkers = DocumentCheckers(
            self,
            self._executor,
            self._tell,
            self._publisher.tell_again if self.can_refresh or not self.pulls else None,
        )
        self.requirements = RequirementsCache()
        self.progress = ProgressBars(client)
        self.file_work = FileWork()
        self.files = WorkspaceFiles(self)
        self.closed_files = ClosedFileDiagnostics(self)
        self.ptxas = PtxasService(self, client.warn, self._publisher.tell_again)
        related = "text_document.publish_diagnostics.related_information"
        self.folds_related = get_capability(able, related) is False
        self.is_told_of_files = bool(file_watchers.registrations(able))
        self.files.set_folders()

    def settings_of(self, uri: str) -> Settings:
        """Returns the settings of a document: those of its folder, or the defaults."""
        return self.client.configuration.of(uri)

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """The capabilities of the client."""
        return self.client.client_capabilities

    @property
    def folders(self) -> list[str]:
        """The paths of the client's folders that may be read."""
        return self.client.rights.workspace(self.client.folders.uris)

    @property
    def is_restricted(self) -> bool:
        """Whether the user does not trust the workspace: no program starts, no source is read."""
        return self.client.is_restricted

    @property
    def documents(self) -> list[OpenDocument]:
        """The open documents."""
        return list(self._documents)

    def get(self, uri: str) -> OpenDocument | None:
        """Returns an open document, or None."""
        return self._documents.get(uri)

    async def run(self, work: Callable[[Callable[[], bool]], Result]) -> Result:
        """Runs `work(should_stop)` on a thread; see `background.run`."""
        return await background.run(self._executor, work)

    # Documents

    def open(self, item: types.TextDocumentItem) -> None:
        """Adds a document, replacing one that was opened under the same URI."""
        self._forget(self._documents.get(item.uri))
        is_large = len(item.text) >= _MIN_LARGE_SIZE
        if is_large:
            gc_policy.pause()
        is_late = len(item.text) >= _MAX_READ_AT_ONCE
        opened = self._documents.open(item, is_late=is_late)
        self._publisher.add(opened)
        checker = self.checkers.add(opened)
        self.begin(self.settle())
        if is_large:
            self._large.add(opened)
        if is_late:
            self.begin(self._read(opened))
        else:
            checker.check_after(0)
            self.begin(prefetch(self, opened))

    async def _read(self, opened: OpenDocument) -> None:
        """Reads a document on a thread, then checks it."""
        await opened.read(self._executor)
        checker = self.checkers.get(opened)
        if checker is None:
            return
        checker.check_after(0)
        if opened in self._large:
            # Work during a check would take twice the time.
            if await self.checkers.fresh(opened) is not None:
                await prefetch_large(self, opened)
        else:
            await prefetch(self, opened)

    async def wait(self, uri: str | None) -> None:
        """Waits until a document is read; with None, until all are."""
        for opened in self.documents if uri is None else [self._documents.get(uri)]:
            if opened is not None and not opened.is_read:
                await opened.wait()

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Starts a task on the event loop."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Future[None]) -> None:
        self._tasks.discard(task)
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            _log.error("a task of the server failed", exc_info=fault)

    def change(
        self,
        identifier: types.VersionedTextDocumentIdentifier,
        changes: Sequence[types.TextDocumentContentChangeEvent],
    ) -> None:
        """Applies edits to a document that is open."""
        opened = self._documents.get(identifier.uri)
        if opened is None:
            _log.warning("ignored an edit of a document that is not open: %s", identifier.uri)
            return
        lines = opened.edit(identifier.version, changes)
        self.ptxas.edited(opened)
        delay = self.settings_of(opened.uri).diagnostics_delay
        checker = self.checkers.get(opened)
        if checker is not None:
            checker.check_after(delay / 1000, lines)

    def close(self, uri: str) -> None:
        """Removes a document."""
        opened = self._documents.close(uri)
        self._forget(opened)
        if opened is None:
            return
        if not self.pulls:
            self.publish(opened.uri, of_list([]))
            self.closed_files.check_uri(opened.uri)
        self.files.released(opened.uri)

    def end(self) -> None:
        """Stops all work; nothing can be opened afterwards."""
        for task in self._tasks:
            task.cancel()
        self.checkers.close()
        self.project.close()
        self.ptxas.close()
        self.files.close()
        self.closed_files.close()
        self.file_work.close()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def reconfigure(self) -> None:
        """Rechecks documents whose settings have changed, and refreshes what the client shows."""
        for opened in self._documents:
            if self.checkers.reconfigure(opened):
                self.ptxas.reconfigure(opened)
        self.begin(self.settle())
        self.closed_files.reconfigure()
        self._refresh()

    def set_folders(self) -> None:
        """Takes a change of the client's folders."""
        self.files.set_folders()
        self.begin(self.settle())

    async def settle(self) -> None:
        """Reads changed configuration files, and checks again what they concern."""
        if await self.checkers.settle():
            self.closed_files.reconfigure()
            self.refresh_diagnostics()

    def refresh_diagnostics(self) -> None:
        """Asks a client that pulls diagnostics to pull again, if it can be asked."""
        if self.pulls and self.can_refresh:
            self.client.connection.request(types.WORKSPACE_DIAGNOSTIC_REFRESH)

    def _refresh(self) -> None:
        """Asks the client to refresh what it shows, if it can be asked."""
        self.refresh_diagnostics()
        for ability, refresh in (
            ("semantic_tokens", types.WORKSPACE_SEMANTIC_TOKENS_REFRESH),
            ("inlay_hint", types.WORKSPACE_INLAY_HINT_REFRESH),
            ("code_lens", types.WORKSPACE_CODE_LENS_REFRESH),
        ):
            if get_capability(self.capabilities, f"workspace.{ability}.refresh_support") is True:
                self.client.connection.request(refresh)

    def _forget(self, opened: OpenDocument | None) -> None:
        if opened is None:
            return
        opened.stop()
        self.checkers.remove(opened)
        self.ptxas.forget(opened)
        self.requirements.forget(opened)
        self._publisher.remove(opened)
        if opened in self._large:
            self._large.remove(opened)
            gc_policy.forget()

    # Diagnostics

    async def report(self, uri: str, previous_id: str | None) -> Encoded:
        """Returns a report of the current diagnostics: `unchanged` if their id is `previous_id`.

        Reads a document that is not open from its file in the workspace.
        """
        opened = self._documents.get(uri)
        if opened is None:
            return await self.closed_files.report(uri, previous_id)
        return await self._publisher.get(opened, previous_id)

    def _tell(self, opened: OpenDocument) -> None:
        """Notifies the client that the diagnostics of a document are fresh."""
        if opened in self._large:
            gc_policy.spare()
        self._publisher.tell(opened)

    async def room(self) -> None:
        """Waits while the client has too much output left to read."""
        await self.client.connection.pressure.room()

    def publish(self, uri: str, diagnostics: Encoded, version: int | None = None) -> None:
        """Pushes the diagnostics of a document; `version`: the version of an open document."""
        fields = {"uri": uri} if version is None else {"uri": uri, "version": version}
        self._publications.publish(uri, with_field(fields, "diagnostics", diagnostics))
