"""The checkers of the open documents, each with the settings of its document."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Protocol

from ptx_ls.server.diagnostics.checker import Checker
from ptx_ls.server.workspace.project_settings import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from concurrent.futures import Executor

    from ptx_ls.server.client_state.settings import Settings
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.workspace.project_files import DocumentSettings
    from ptx_ls.server.workspace.project_settings import ProjectSettings, RefreshedSettings
    from ptx_ls.source import Diagnostic, Severity


class CheckersHost(Protocol):
    """The parts of a session that `DocumentCheckers` needs."""

    @property
    def project(self) -> ProjectSettings:
        """The settings of documents, from the editor and from configuration files."""
        ...

    def settings_of(self, uri: str) -> Settings:
        """Returns the user's settings for a document."""
        ...


class DocumentCheckers:
    """The checkers by document. Use it on the event loop only.

    `on_fresh` is called with a document when its diagnostics are fresh, and `on_pause` when they
    change because the user has stopped typing; None if the client cannot be notified of that.
    """

    def __init__(
        self,
        host: CheckersHost,
        executor: Executor,
        on_fresh: Callable[[OpenDocument], None],
        on_pause: Callable[[OpenDocument], None] | None,
    ) -> None:
        self._host, self._executor = host, executor
        self._on_fresh, self._on_pause = on_fresh, on_pause
        self._checkers: dict[OpenDocument, Checker] = {}
        self._of_editor: dict[OpenDocument, Settings] = {}
        self._settings: dict[OpenDocument, DocumentSettings] = {}
        self._n_settling = 0
        self._is_settled = asyncio.Event()
        self._is_settled.set()

    def get(self, opened: OpenDocument) -> Checker | None:
        """Returns the checker of a document; None if the document has been closed."""
        return self._checkers.get(opened)

    def add(self, opened: OpenDocument) -> Checker:
        """Returns a new checker of a document, which waits for `settle`."""
        self._of_editor[opened] = self._host.settings_of(opened.uri)
        self._settings.pop(opened, None)
        on_pause = self._on_pause
        checker = self._checkers[opened] = Checker(
            lambda: opened.document,
            None,
            self._executor,
            lambda: self._on_fresh(opened),
            None if on_pause is None else lambda: on_pause(opened),
        )
        return checker

    def remove(self, opened: OpenDocument) -> None:
        """Stops checking a document."""
        self._checkers.pop(opened).close()
        del self._of_editor[opened]
        self._settings.pop(opened, None)

    def close(self) -> None:
        """Stops all checks."""
        for checker in self._checkers.values():
            checker.close()

    def reconfigure(self, opened: OpenDocument) -> bool:
        """Checks a document again if the editor's settings for it have changed; returns whether."""
        if self._of_editor[opened] == self._host.settings_of(opened.uri):
            return False
        self._again(opened)
        return True

    async def settle(self) -> bool:
        """Gives documents the settings that the configuration files have now.

        These are new documents, and all if any file has changed, which it returns. A document whose
        rules have changed is checked again. Pulls of diagnostics wait for this, but not for long.
        """
        new = {it: used for it, used in self._of_editor.items() if it not in self._settings}
        reading = self._host.project.refreshed([it.uri for it in new])
        settling = asyncio.ensure_future(self._settle(new, reading))
        self._n_settling += 1
        self._is_settled.clear()
        try:
            await asyncio.wait([settling], timeout=PATIENCE)
            if not settling.done() or settling.exception() is not None:
                self._go_without(new)  # the disk does not answer
        finally:
            self._n_settling -= 1
            if not self._n_settling:
                self._is_settled.set()
        return await settling

    async def _settle(
        self, new: Mapping[OpenDocument, Settings], reading: asyncio.Future[RefreshedSettings]
    ) -> bool:
        refreshed = await reading
        self._take(new, refreshed.settings)
        if refreshed.has_changed:
            every = dict(self._of_editor)
            found = await self._host.project.of([it.uri for it in every], are_open=True)
            self._take(every, found)
        return refreshed.has_changed

    def _take(
        self, of_editor: Mapping[OpenDocument, Settings], found: Iterable[DocumentSettings]
    ) -> None:
        """Uses new settings of documents; `of_editor`: those of the editor on which they depend."""
        for opened, settings in zip(of_editor, found, strict=True):
            # Else it has been closed, or the settings of the editor have changed again.
            if self._of_editor.get(opened) == of_editor[opened]:
                self._use(opened, settings)

    def _go_without(self, documents: Iterable[OpenDocument]) -> None:
        """Checks documents without a configuration, unless one has been read before."""
        for opened in documents:
            if opened in self._checkers and opened not in self._settings:
                self._use(opened, self._host.project.of_editor(opened.uri))

    async def settings(self, opened: OpenDocument) -> DocumentSettings:
        """Returns the settings of a document."""
        await self._is_settled.wait()
        known = self.known_settings(opened)
        if known is None:
            (known,) = await self._host.project.of([opened.uri], are_open=True)
        return known

    def known_settings(self, opened: OpenDocument) -> DocumentSettings | None:
        """Returns the settings of a document; None if its configuration is still being read."""
        return self._settings.get(opened)

    async def fresh(self, opened: OpenDocument) -> Checker | None:
        """Waits until the diagnostics of a document are fresh; returns its checker.

        Returns None if the document has been closed. A change of settings replaces the checker.
        """
        await self._is_settled.wait()
        while (checker := self._checkers.get(opened)) is not None:
            await checker.is_fresh.wait()
            if checker.is_fresh.is_set() and self._checkers.get(opened) is checker:
                return checker
        return None

    async def checked(self, opened: OpenDocument, first: int, last: int) -> list[Diagnostic]:
        """Returns the diagnostics that touch lines of a document, once these are checked."""
        while (checker := self._checkers.get(opened)) is not None:
            found = await checker.checked(first, last)
            if self._checkers.get(opened) is checker:
                return found
        return []

    async def counts(self, opened: OpenDocument) -> Counter[Severity]:
        """Counts the diagnostics of each severity in the current text of a document."""
        checker = await self.fresh(opened)
        if checker is None:  # it has been closed
            return Counter()
        return Counter(
            one.severity for _, result in checker.known.results for one in result.diagnostics
        )

    def _again(self, opened: OpenDocument) -> Checker:
        """Replaces the checker of a document."""
        self._checkers.pop(opened).close()
        checker = self.add(opened)
        if opened.is_read:
            checker.check_after(0)
        return checker

    def _use(self, opened: OpenDocument, settings: DocumentSettings) -> None:
        """Checks a document with settings; again, unless they are those that it has."""
        known, checker = self._settings.get(opened), self._checkers[opened]
        if known is not None and known.rules != settings.rules:
            checker = self._again(opened)
            known = None
        self._settings[opened] = settings
        if known is None:
            checker.begin(settings.rules)
