"""The diagnostics of the files of the workspace that are not open: pulled, or pushed if wanted."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.server import disk
from ptx_ls.server.file_jobs import Check, Checked, CheckSettings
from ptx_ls.server.progress import Progress
from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.server.file_jobs import Known
    from ptx_ls.server.session import Session
    from ptx_ls.server.settings import Settings

_log = logging.getLogger(__name__)

_WORTH_SHOWING: Final = 20
"""Files from which on the user is told that they are being checked."""

Json = dict[str, Any]


class DiskDiagnostics:
    """Checks files, one after the other, in the background."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[str, Known] = {}
        self._due: dict[str, None] = {}
        self._pushed: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        session.files.on_change = self.check

    async def get(self, path: str, previous_id: str | None = None) -> Checked | None:
        """The diagnostics of a file; None if it cannot be read."""
        settings, known = self._settings_of(path), self._known.get(path)
        used = CheckSettings(settings.ignored_rules, settings.diagnostics_limit)
        if known is not None and (known.settings, known.result_id) == (used, previous_id):
            stamp = await self._session.run(lambda _stop: disk.stamp_of(path))
            if stamp == known.stamp:
                return Checked(known.result_id, None, known.counts)
        job = Check(path, self._session.unit, used, previous_id)
        found = await self._session.file_work.run(job)
        if found is None:
            self._known.pop(path, None)
            return None
        self._known[path], checked = found
        return checked

    # Pushed to a client that does not pull

    def check(self, paths: Iterable[str]) -> None:
        """Checks files that have changed, if the user wants to know of files that are not open."""
        self._due.update(dict.fromkeys(path for path in paths if self._is_pushed(path)))
        if self._due and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._push())

    def check_uri(self, uri: str) -> None:
        """Checks a file again that was just closed."""
        path = uris.to_path(uri)
        if path is not None and self._session.files.index.get(path) is not None:
            self.check([path])

    def reconfigure(self) -> None:
        """Checks all files again under other settings, or takes back what was pushed."""
        self._due.clear()
        self.check([file.path for file in self._session.files.index])
        for path in [path for path in self._pushed if not self._is_pushed(path)]:
            self._publish(path, [])
            self._pushed.remove(path)

    def close(self) -> None:
        """Stops checking."""
        if self._task is not None:
            self._task.cancel()

    def _settings_of(self, path: str) -> Settings:
        return self._session.settings_of(uris.from_path(path))

    def _is_pushed(self, path: str) -> bool:
        return not self._session.pulls and self._settings_of(path).workspace_diagnostics

    async def _push(self) -> None:
        progress: Progress | None = None
        n_done = 0
        try:
            while self._due:
                if progress is None and len(self._due) >= _WORTH_SHOWING:
                    progress = self._session.progress.start("Checking PTX")
                path = next(iter(self._due))
                del self._due[path]
                await self._push_one(path)
                n_done += 1
                if progress is not None:
                    progress.report(n_done, n_done + len(self._due))
                    if progress.is_cancelled:
                        self._due.clear()
        except Exception:  # noqa: BLE001  # else nobody would hear of it
            _log.exception("files that are not open could not be checked")
        finally:
            if progress is not None:
                progress.end()

    async def _push_one(self, path: str) -> None:
        checked = None
        if self._session.files.index.get(path) is not None:
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
        if self._session.get(uri) is None:  # else what is open tells of itself
            self._session.publish({"uri": uri, "diagnostics": found})
