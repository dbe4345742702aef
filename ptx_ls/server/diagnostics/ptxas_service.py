"""Runs ptxas on open documents when they are saved, or when a command requests it.

A document has one run at a time, and only a few documents have a run, so that saving many documents
does not use up the machine. The next edit or save ends a run that a save began.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from ptx_ls.server.client_state.setting_values import OnSave
from ptx_ls.server.diagnostics.ptxas_messages import PtxasMessage, PtxasMessages

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from ptx_ls.server.diagnostics.ptxas_run import Done
    from ptx_ls.server.documents.host import DocumentHost
    from ptx_ls.server.documents.open_documents import OpenDocument

_MAX_RUNS: Final = 2


class _DocumentRuns:
    """The runs and messages of one document."""

    def __init__(self) -> None:
        self.messages = PtxasMessages()
        self.lock = asyncio.Lock()
        self.task: asyncio.Task[None] | None = None

    def stop(self) -> None:
        if self.task is not None:
            self.task.cancel()
            self.task = None


class PtxasService:
    """The runs of one session. Calls `on_change` when there are new messages to show."""

    def __init__(
        self,
        session: DocumentHost,
        warn: Callable[[str], None],
        on_change: Callable[[OpenDocument], None],
    ) -> None:
        self._session, self._warn, self._on_change = session, warn, on_change
        self._asked: dict[OpenDocument, _DocumentRuns] = {}
        self._few = asyncio.Semaphore(_MAX_RUNS)

    def saved(self, opened: OpenDocument) -> None:
        """Runs ptxas on a saved document, if the user wants that."""
        how = self._session.settings_of(opened.uri).ptxas_on_save
        if how is OnSave.OFF or self._session.is_restricted:
            return
        asked = self._of(opened)
        asked.stop()
        asked.task = asyncio.ensure_future(self._check(opened, how))

    def edited(self, opened: OpenDocument) -> None:
        """Stops a run on text that is no longer current."""
        if opened in self._asked:
            self._asked[opened].stop()

    def reconfigure(self, opened: OpenDocument) -> None:
        """Forgets messages that the user no longer wants."""
        if self._session.settings_of(opened.uri).ptxas_on_save is OnSave.OFF:
            asked = self._asked.get(opened)
            if asked is not None:
                asked.stop()
                asked.messages.clear()

    def forget(self, opened: OpenDocument) -> None:
        """Forgets a closed document."""
        asked = self._asked.pop(opened, None)
        if asked is not None:
            asked.stop()

    def close(self) -> None:
        """Ends all runs."""
        for opened in list(self._asked):
            self.forget(opened)

    def messages(self, opened: OpenDocument) -> list[PtxasMessage]:
        """Returns the messages of ptxas that are still valid, in the order of the text."""
        asked = self._asked.get(opened)
        return asked.messages.present(opened.document) if asked is not None else []

    def take(self, opened: OpenDocument, done: Done) -> None:
        """Shows the messages of a run, unless the document was edited or closed during the run."""
        asked = self._asked.get(opened)
        if asked is not None and opened.revision == done.revision:
            asked.messages.take(opened.document, done.run.messages)
            self._on_change(opened)

    @asynccontextmanager
    async def run(self, opened: OpenDocument, *, whole: bool) -> AsyncIterator[Done]:
        """Runs ptxas on a document; see `ptxas_run.held`.

        Raises:
            ToolError: if ptxas is missing or takes too long, or the workspace is not trusted.
        """
        from ptx_ls.server.diagnostics import ptxas_run  # noqa: PLC0415  most sessions never need it

        held = ptxas_run.held(self._session, opened, whole=whole)
        async with self._of(opened).lock, self._few, held as done:
            yield done

    def _of(self, opened: OpenDocument) -> _DocumentRuns:
        return self._asked.setdefault(opened, _DocumentRuns())

    async def _check(self, opened: OpenDocument, how: OnSave) -> None:
        from ptx_ls.toolchain.assembler import ToolError  # noqa: PLC0415  as in `run`

        await self._session.wait(opened.uri)
        try:
            async with self.run(opened, whole=how is OnSave.ASSEMBLE) as done:
                self.take(opened, done)
        except (ToolError, OSError) as error:  # there may be no room for the text
            self._warn(str(error))
