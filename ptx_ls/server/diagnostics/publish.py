"""Pushes the diagnostics of open documents, or answers a client that pulls them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Protocol

from ptx_ls.server.diagnostics.items import items
from ptx_ls.server.diagnostics.ptxas_messages import merged
from ptx_ls.server.documents.host import DocumentHost
from ptx_ls.server.protocol.encoding import Encoded, of_list, of_object, with_field

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from ptx_ls.server.diagnostics.document_checkers import DocumentCheckers
    from ptx_ls.server.diagnostics.ptxas_service import PtxasService
    from ptx_ls.server.documents.open_documents import OpenDocument

_PATIENCE: Final = 2.0
"""Seconds after which a pull is answered with the known diagnostics, if it can be repeated."""
_MAX_DIAGNOSTICS_WITHOUT_WORKER: Final = 50
"""Maximum number of diagnostics that are converted faster than a worker is woken."""


@dataclass(slots=True, eq=False)
class _Report:
    """The last report to the client about a document."""

    result_id: str = ""
    rows: list[str] = field(default_factory=list)
    is_preliminary: bool = False


class PublishingHost(DocumentHost, Protocol):
    """The parts of a session that `DiagnosticPublisher` needs."""

    pulls: bool
    can_refresh: bool
    folds_related: bool
    ptxas: PtxasService
    checkers: DocumentCheckers

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Starts a task on the event loop."""

    def refresh_diagnostics(self) -> None:
        """Asks a client that pulls diagnostics to pull again."""

    def publish(self, uri: str, diagnostics: Encoded, version: int | None = None) -> None:
        """Sends the diagnostics of a file."""


class DiagnosticPublisher:
    """The diagnostics of open documents as JSON, pushed or pulled."""

    def __init__(self, host: PublishingHost) -> None:
        self._host = host
        self._known: dict[OpenDocument, _Report] = {}
        self._result_ids = map(str, count(1))

    def add(self, opened: OpenDocument) -> None:
        """Adds a document that was opened."""
        self._known[opened] = _Report()

    def remove(self, opened: OpenDocument) -> None:
        """Forgets a document that was closed."""
        del self._known[opened]

    async def get(self, opened: OpenDocument, previous_id: str | None) -> Encoded:
        """Returns a report of the current diagnostics: `unchanged` if their id is `previous_id`.

        A report that is not complete has no id, and the client is asked to pull again later.
        """
        patience = _PATIENCE if self._host.can_refresh else None
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._host.checkers.fresh(opened), patience)
        checker = self._host.checkers.get(opened)
        if checker is None:  # it has been closed
            return of_object({"kind": "full", "items": []})
        report = self._known[opened]
        report.is_preliminary = not checker.is_fresh.is_set()
        if report.is_preliminary:
            report.result_id = ""
            rows = await self._rows(opened) if opened.is_read else []
            return with_field({"kind": "full"}, "items", of_list(rows))
        rows = await self._rows(opened)
        if rows != report.rows or not report.result_id:
            report.rows, report.result_id = rows, next(self._result_ids)
        elif report.result_id == previous_id:
            return of_object({"kind": "unchanged", "resultId": previous_id})
        return with_field({"kind": "full", "resultId": report.result_id}, "items", of_list(rows))

    def tell(self, opened: OpenDocument) -> None:
        """Notifies the client that the diagnostics of a document are up to date."""
        if not self._host.pulls:
            self._host.begin(self._push(opened))
        elif self._known[opened].is_preliminary and self._host.can_refresh:
            self._known[opened].is_preliminary = False
            self._host.refresh_diagnostics()

    def tell_again(self, opened: OpenDocument) -> None:
        """Notifies the client of new messages of ptxas on a document."""
        checker = self._host.checkers.get(opened)
        if self._host.pulls:
            self._host.refresh_diagnostics()
        elif checker is not None and checker.is_fresh.is_set():  # else it is notified soon
            self._host.begin(self._push(opened))

    async def _push(self, opened: OpenDocument) -> None:
        if opened not in self._known:  # it has been closed
            return
        revision = opened.revision
        rows = await self._rows(opened)
        if opened in self._known and opened.revision == revision:
            self._host.publish(opened.uri, of_list(rows), opened.version)

    async def _rows(self, opened: OpenDocument) -> list[str]:
        """Returns the diagnostics of a document, each as JSON; converts many on a worker."""
        session = self._host
        checker = session.checkers.get(opened)
        if checker is None:
            return []
        limit, folds = session.settings_of(opened.uri).diagnostics_limit, session.folds_related
        known, theirs = checker.known, session.ptxas.messages(opened)

        def work() -> list[str]:
            found, messages = merged(known.in_order(limit), theirs)
            left: Counter[str] = Counter()
            if known.n_diagnostics > len(found):
                left = known.counts() - Counter(one.rule for one in found)
            room = max(0, limit - len(found))
            if len(messages) > room:
                left["ptxas"] = len(messages) - room
            made = items(opened, found, left, messages[:room], folds_related=folds)
            return [json.dumps(one) for one in made]

        if known.n_diagnostics + len(theirs) <= _MAX_DIAGNOSTICS_WITHOUT_WORKER:
            return work()
        return await session.run(lambda _should_stop: work())
