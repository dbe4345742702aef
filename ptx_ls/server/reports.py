"""What a client is told of the documents that it has open, whether it asks or not."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.server.diagnostic_items import items
from ptx_ls.server.sayings import merged

if TYPE_CHECKING:
    from ptx_ls.server.documents import OpenDocument
    from ptx_ls.server.session import Session

_PATIENCE: Final = 2.0
"""Seconds until a pull is answered with what is known, if the client can be told to repeat it."""
_FEW: Final = 50  # diagnostics that are converted faster than a worker is woken


@dataclass(slots=True, eq=False)
class _Report:
    """What a client was told last about a document."""

    result_id: str = ""
    items: list[dict[str, Any]] = field(default_factory=list)
    is_preliminary: bool = False


class Reports:
    """The diagnostics of open documents as JSON, pushed or pulled."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[OpenDocument, _Report] = {}
        self._result_ids = map(str, count(1))

    def add(self, opened: OpenDocument) -> None:
        """Takes note of a document that was opened."""
        self._known[opened] = _Report()

    def remove(self, opened: OpenDocument) -> None:
        """Forgets one that was closed."""
        del self._known[opened]

    async def get(self, opened: OpenDocument, previous_id: str | None) -> dict[str, Any]:
        """The diagnostics of the present text, or that they are those of `previous_id`."""
        checker = self._session.checker(opened)
        if checker is not None:
            with contextlib.suppress(TimeoutError):
                patience = _PATIENCE if self._session.can_refresh else None
                await asyncio.wait_for(checker.is_fresh.wait(), patience)
        checker = self._session.checker(opened)  # other settings need another one
        if checker is None:  # closed meanwhile
            return {"kind": "full", "items": []}
        report = self._known[opened]
        report.is_preliminary = not checker.is_fresh.is_set()
        found = await self._items(opened)
        if found != report.items or not report.result_id:
            report.items, report.result_id = found, next(self._result_ids)
        elif report.result_id == previous_id:
            return {"kind": "unchanged", "resultId": previous_id}
        return {"kind": "full", "resultId": report.result_id, "items": found}

    def tell(self, opened: OpenDocument) -> None:
        """Tells the client that the diagnostics of a document are fresh."""
        if not self._session.pulls:
            self._session.begin(self._push(opened))
        elif self._known[opened].is_preliminary and self._session.can_refresh:
            self._known[opened].is_preliminary = False
            self._session.refresh_diagnostics()

    def retell(self, opened: OpenDocument) -> None:
        """Tells the client that ptxas said something of a document."""
        checker = self._session.checker(opened)
        if self._session.pulls:
            self._session.refresh_diagnostics()
        elif checker is not None and checker.is_fresh.is_set():  # else it is told soon
            self._session.begin(self._push(opened))

    async def _push(self, opened: OpenDocument) -> None:
        if opened not in self._known:  # closed meanwhile
            return
        revision = opened.revision
        found = await self._items(opened)
        if opened in self._known and opened.revision == revision:
            told = {"uri": opened.uri, "version": opened.version, "diagnostics": found}
            self._session.publish(told)

    async def _items(self, opened: OpenDocument) -> list[dict[str, Any]]:
        """The diagnostics of a document as JSON; many are converted on a worker."""
        session = self._session
        checker = session.checker(opened)
        if checker is None:
            return []
        limit = session.settings_of(opened.uri).diagnostics_limit
        found, said = merged(checker.diagnostics(limit), session.oracle.said(opened))
        left: Counter[str] = Counter()
        if checker.n_diagnostics > len(found):
            left = checker.counts() - Counter(one.rule for one in found)
        room = max(0, limit - len(found))
        if len(said) > room:
            left["ptxas"] = len(said) - room
        folds = session.folds_related
        work = partial(items, opened, found, left, said[:room], folds_related=folds)
        if len(found) + min(len(said), room) <= _FEW:
            return work()
        return await session.run(lambda _should_stop: work())
