"""The documents that a client has open, and what it was told about them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.lint import LintSettings
from ptx_ls.server import background, collector, from_lsp, to_lsp
from ptx_ls.server.diagnostics import Checker
from ptx_ls.server.documents import OpenDocument, Workspace
from ptx_ls.server.needs import NeedsOf
from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.server.background import Result
    from ptx_ls.server.language_server import PtxServer
    from ptx_ls.server.settings import Settings
    from ptx_ls.source import Diagnostic

_log = logging.getLogger(__name__)

_PATIENCE: Final = 2.0
"""Seconds until a pull is answered with what is known, if the client can be told to repeat it."""
_N_WORKERS: Final = 4  # a huge document should not keep a small one waiting
_TOO_MANY: Final = "{} more are not shown (setting `ptx.diagnostics.limit`): {}"
_MOST_RULES: Final = 5
"""Rules whose diagnostics are counted where not all are shown."""
_FEW: Final = 50  # diagnostics that are converted faster than a worker is woken
_LARGE: Final = 2_000_000  # characters; see collector.py


@dataclass(slots=True, eq=False)
class _Report:
    """What a client was told last about a document."""

    result_id: str = ""
    items: list[dict[str, Any]] = field(default_factory=list)
    is_preliminary: bool = False


class Session:
    """The open documents of one client and their diagnostics, pushed or pulled.

    Attributes:
        needs: what the documents need of PTX.
        shows_images: whether the client shows images in Markdown.
    """

    def __init__(self, server: PtxServer) -> None:
        self._server = server
        self._workspace = Workspace(from_lsp.unit(server.workspace.position_encoding))
        self._checkers: dict[OpenDocument, Checker] = {}
        self._reports: dict[OpenDocument, _Report] = {}
        self._large: set[OpenDocument] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._executor = ThreadPoolExecutor(_N_WORKERS, "ptx-ls lint")
        self._result_ids = map(str, itertools.count(1))
        able = server.client_capabilities
        self._pulls = get_capability(able, "text_document.diagnostic") is not None
        self._can_refresh = get_capability(able, "workspace.diagnostics.refresh_support") is True
        self.needs = NeedsOf()
        self.shows_images = server.shows_images

    @property
    def settings(self) -> Settings:
        """What the user has set."""
        return self._server.settings

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """What the client can do."""
        return self._server.client_capabilities

    @property
    def folders(self) -> list[str]:
        """Paths of the folders that the client works in."""
        workspace = self._server.workspace
        roots = [folder.uri for folder in workspace.folders.values()] or [workspace.root_uri]
        return [path for uri in roots if uri and (path := uris.to_path(uri)) is not None]

    def get(self, uri: str) -> OpenDocument | None:
        """Returns an open document."""
        return self._workspace.get(uri)

    async def run(self, work: Callable[[Callable[[], bool]], Result]) -> Result:
        """Runs `work(should_stop)` on a thread; see `background.run`."""
        return await background.run(self._executor, work)

    # Documents

    def open(self, item: types.TextDocumentItem) -> None:
        """Adds a document, in place of one that was opened under the same URI before."""
        self._forget(self._workspace.get(item.uri))
        if len(item.text) >= _LARGE:
            collector.pause()
        opened = self._workspace.open(item)
        if len(item.text) >= _LARGE:
            self._large.add(opened)
        self._reports[opened] = _Report()
        self._check(opened, delay=0)

    def change(
        self,
        identifier: types.VersionedTextDocumentIdentifier,
        changes: Sequence[types.TextDocumentContentChangeEvent],
    ) -> None:
        """Applies edits to a document that is open."""
        opened = self._workspace.get(identifier.uri)
        if opened is None:
            _log.warning("ignored an edit of a document that is not open: %s", identifier.uri)
            return
        opened.edit(identifier.version, changes)
        self._checkers[opened].check_after(self.settings.diagnostics_delay / 1000)

    def close(self, uri: str) -> None:
        """Removes a document."""
        opened = self._workspace.close(uri)
        self._forget(opened)
        if opened is not None and not self._pulls:
            self._publish({"uri": opened.uri, "diagnostics": []})

    def end(self) -> None:
        """Stops all work; nothing can be opened any more."""
        for checker in self._checkers.values():
            checker.close()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def reconfigure(self) -> None:
        """Checks all documents again, under other settings."""
        for opened in self._workspace:
            self._checkers.pop(opened).close()
            self._reports[opened].is_preliminary = True
            self._check(opened, delay=0)

    def refresh(self) -> None:
        """Has the client ask again for what it shows, where it can be told; not for diagnostics."""
        server, able = self._server, self.capabilities
        for ability, refresh in (
            ("semantic_tokens", server.workspace_semantic_tokens_refresh),
            ("inlay_hint", server.workspace_inlay_hint_refresh),
            ("code_lens", server.workspace_code_lens_refresh),
        ):
            if get_capability(able, f"workspace.{ability}.refresh_support") is True:
                refresh(None)

    def _check(self, opened: OpenDocument, delay: float) -> None:
        checker = Checker(
            opened.document,
            LintSettings(self.settings.ignored_rules),
            self._executor,
            lambda: self._tell(opened),
        )
        self._checkers[opened] = checker
        checker.check_after(delay)

    def _forget(self, opened: OpenDocument | None) -> None:
        if opened is None:
            return
        self._checkers.pop(opened).close()
        self.needs.forget(opened)
        del self._reports[opened]
        if opened in self._large:
            self._large.remove(opened)
            collector.forget()

    # Diagnostics

    async def report(self, uri: str, previous_id: str | None) -> dict[str, Any]:
        """Returns the diagnostics of the present text, or that they are those of `previous_id`."""
        opened = self._workspace.get(uri)
        if opened is None:
            return {"kind": "full", "items": []}
        with contextlib.suppress(TimeoutError):
            patience = _PATIENCE if self._can_refresh else None
            await asyncio.wait_for(self._checkers[opened].is_fresh.wait(), patience)
        if opened not in self._checkers:  # closed meanwhile
            return {"kind": "full", "items": []}
        report = self._reports[opened]
        report.is_preliminary = not self._checkers[opened].is_fresh.is_set()
        items = await self._items(opened)
        if items != report.items or not report.result_id:
            report.items, report.result_id = items, next(self._result_ids)
        elif report.result_id == previous_id:
            return {"kind": "unchanged", "resultId": previous_id}
        return {"kind": "full", "resultId": report.result_id, "items": items}

    def _tell(self, opened: OpenDocument) -> None:
        """Tells the client that the diagnostics of a document are fresh."""
        if opened in self._large:
            collector.spare()
        if not self._pulls:
            task = asyncio.ensure_future(self._push(opened))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif self._reports[opened].is_preliminary and self._can_refresh:
            self._reports[opened].is_preliminary = False
            self._server.workspace_diagnostic_refresh(None)

    async def _push(self, opened: OpenDocument) -> None:
        if opened not in self._checkers:  # closed meanwhile
            return
        version = opened.version
        items = await self._items(opened)
        if opened in self._checkers and opened.version == version:
            self._publish({"uri": opened.uri, "version": version, "diagnostics": items})

    def _publish(self, params: dict[str, Any]) -> None:
        self._server.protocol.notify_json(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    async def _items(self, opened: OpenDocument) -> list[dict[str, Any]]:
        """The diagnostics of a document as JSON; many are converted on a worker."""
        limit = self.settings.diagnostics_limit
        checker = self._checkers[opened]
        found = checker.diagnostics(limit)
        left = ""
        if checker.n_diagnostics > len(found):
            left = _left_out(checker.counts() - Counter(one.rule for one in found))
        if len(found) <= _FEW:
            return _converted(opened, found, left)
        loop = asyncio.get_running_loop()
        convert = partial(_converted, opened, found, left)
        return await loop.run_in_executor(self._executor, convert)


def _converted(opened: OpenDocument, found: list[Diagnostic], left: str) -> list[dict[str, Any]]:
    items = [to_lsp.diagnostic(opened, diagnostic) for diagnostic in found]
    if left:
        items.append(to_lsp.notice(opened, found[-1].range, left))
    return items


def _left_out(counts: Counter[str]) -> str:
    """How many diagnostics are not shown, and of which rules most of them are."""
    rules = [f"{count:,} {name}" for name, count in counts.most_common(_MOST_RULES)]
    if len(counts) > _MOST_RULES:
        rules.append("...")
    return _TOO_MANY.format(f"{counts.total():,}", ", ".join(rules))
