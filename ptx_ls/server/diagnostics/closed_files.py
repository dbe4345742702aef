"""The diagnostics of workspace files that are not open: pulled, or pushed if the user wants."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any, Final, Protocol

from ptx_ls.server.client_state.progress import WorkDoneProgress
from ptx_ls.server.documents.host import DocumentHost
from ptx_ls.server.protocol.encoding import Encoded, of_list, of_object
from ptx_ls.server.workspace import disk
from ptx_ls.server.workspace.file_jobs import Check, Checked, CheckSettings
from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ptx_ls.server.client_state.progress import ProgressBars
    from ptx_ls.server.client_state.settings import Settings
    from ptx_ls.server.workspace.file_jobs import KnownResult
    from ptx_ls.server.workspace.file_work import FileWork
    from ptx_ls.server.workspace.files import WorkspaceFiles
    from ptx_ls.server.workspace.project_settings import ProjectSettings

_log = logging.getLogger(__name__)

_MIN_FILES_FOR_PROGRESS: Final = 20
"""Minimum number of files to check for which the user sees progress."""
_PAUSE: Final = 0.5
"""Seconds without another change until a client is asked to pull again."""

Json = dict[str, Any]


class ClosedFilesHost(DocumentHost, Protocol):
    """The parts of a session that `ClosedFileDiagnostics` needs."""

    file_work: FileWork
    files: WorkspaceFiles
    project: ProjectSettings
    progress: ProgressBars
    pulls: bool
    folds_related: bool

    async def room(self) -> None:
        """Waits while the client has too much output left to read."""

    def refresh_diagnostics(self) -> None:
        """Asks a client that pulls diagnostics to pull again."""

    def publish(self, uri: str, diagnostics: Encoded, version: int | None = None) -> None:
        """Sends the diagnostics of a file."""


class ClosedFileDiagnostics:
    """Checks files in the background, one after another.

    Attributes:
        are_pulled: whether the client has pulled the diagnostics of all files.
    """

    def __init__(self, host: ClosedFilesHost) -> None:
        self._host = host
        self._known: dict[str, KnownResult] = {}
        self._due: dict[str, None] = {}
        self._pushed: set[str] = set()
        self.are_pulled = False
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        host.files.on_change = self.check

    async def get(self, path: str, previous_id: str | None = None) -> Checked | None:
        """Returns the diagnostics of a file; None if it is excluded, or cannot be read."""
        (used,) = await self._used([path])
        if used is None:
            self._known.pop(path, None)
            return None
        known = self._known_of(path, used, previous_id)
        if known is not None:
            stamp = await self._host.run(lambda _stop: disk.stamp_of(path))
            if stamp == known.stamp:
                return Checked(known.result_id, None, known.counts)
        job = Check(path, self._host.unit, used, previous_id)
        found = await self._host.file_work.run(job)
        if found is None:
            self._known.pop(path, None)
            return None
        self._known[path], checked = found
        return checked

    async def unchanged(self, previous_ids: Mapping[str, str]) -> dict[str, Checked]:
        """Returns the results, by path, of the files that have not changed since they were checked.

        `previous_ids`: the ids of the results that the client has, by path.
        """
        used = zip(previous_ids.items(), await self._used([*previous_ids]), strict=True)
        known = {
            path: it
            for (path, previous_id), settings in used
            if settings and (it := self._known_of(path, settings, previous_id)) is not None
        }

        def work(_should_stop: Callable[[], bool]) -> list[str]:
            return [path for path, it in known.items() if disk.stamp_of(path) == it.stamp]

        paths = await self._host.run(work) if known else []
        return {path: Checked(known[path].result_id, None, known[path].counts) for path in paths}

    async def report(self, uri: str, previous_id: str | None) -> Encoded:
        """Returns a report on a closed file; it is empty if the file is not in the workspace.

        Some editors request it when a document is closed, and keep showing its diagnostics.
        """
        path = uris.to_path(uris.normalized(uri))
        checked = None
        if path is not None and await self._host.files.has(path):
            checked = await self.get(path, previous_id)
        if checked is None:
            return of_object({"kind": "full", "items": []})
        if checked.items is None:
            return of_object({"kind": "unchanged", "resultId": checked.result_id})
        return of_object({"kind": "full", "resultId": checked.result_id, "items": checked.items})

    async def _used(self, paths: Sequence[str]) -> list[CheckSettings | None]:
        """Returns the settings for checking files; None for those that are excluded."""
        folds, limits = self._host.folds_related, [self._limit(path) for path in paths]
        wanted = [uris.from_path(path) for path in paths]
        found = await self._host.project.of(wanted, are_open=False)
        return [
            None if each.is_excluded else CheckSettings(each.rules, limit, folds)
            for each, limit in zip(found, limits, strict=True)
        ]

    def _limit(self, path: str) -> int:
        return self._settings_of(path).diagnostics_limit

    def _known_of(
        self, path: str, used: CheckSettings, previous_id: str | None
    ) -> KnownResult | None:
        known = self._known.get(path)
        is_it = known is not None and (known.settings, known.result_id) == (used, previous_id)
        return known if is_it else None

    # Diagnostics pushed to a client that does not pull

    def check(self, paths: Iterable[str]) -> None:
        """Checks files that have changed, if the user wants diagnostics of closed files.

        Asks a client that pulls them to pull again.
        """
        if self.are_pulled:
            if self._timer is not None:
                self._timer.cancel()
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_PAUSE, self._host.refresh_diagnostics)
        changed = list(paths)
        for path in changed:
            if self._host.files.index.get(path) is None:
                self._known.pop(path, None)
        self._due.update(dict.fromkeys(path for path in changed if self._is_pushed(path)))
        if self._due and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._push())

    def check_uri(self, uri: str) -> None:
        """Checks the file of a document that was just closed."""
        path = uris.to_path(uri)
        if path is not None and self._host.files.index.get(path) is not None:
            self.check([path])

    def reconfigure(self) -> None:
        """Checks all files under the new settings, and withdraws diagnostics no longer wanted."""
        self._due.clear()
        self.check([file.path for file in self._host.files.index])
        for path in [path for path in self._pushed if not self._is_pushed(path)]:
            self._publish(path, [])
            self._pushed.remove(path)

    def close(self) -> None:
        """Stops checking."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()

    def _settings_of(self, path: str) -> Settings:
        return self._host.settings_of(uris.from_path(path))

    def _is_pushed(self, path: str) -> bool:
        return not self._host.pulls and self._settings_of(path).workspace_diagnostics

    async def _push(self) -> None:
        progress: WorkDoneProgress | None = None
        n_done = 0
        try:
            while self._due:
                if progress is None and len(self._due) >= _MIN_FILES_FOR_PROGRESS:
                    progress = self._host.progress.start("Checking PTX")
                await self._host.room()
                path = next(iter(self._due))
                del self._due[path]
                await self._push_one(path)
                n_done += 1
                if progress is not None:
                    progress.report(n_done, n_done + len(self._due))
                    if progress.is_cancelled:
                        self._due.clear()
        except Exception:  # noqa: BLE001 # otherwise it would go unnoticed
            _log.exception("files that are not open could not be checked")
        finally:
            if progress is not None:
                progress.end()

    async def _push_one(self, path: str) -> None:
        checked = None
        if self._host.files.index.get(path) is not None:
            checked = await self.get(path)
        found = checked.items if checked is not None else None
        if not self._is_pushed(path) or (not found and path not in self._pushed):
            return
        self._publish(path, found or [])
        if found:
            self._pushed.add(path)
        else:
            self._pushed.discard(path)

    def _publish(self, path: str, found: list[Json]) -> None:
        uri = uris.from_path(path)
        if self._host.get(uri) is None:  # otherwise the open document reports its own
            self._host.publish(uri, of_list([json.dumps(one) for one in found]))
