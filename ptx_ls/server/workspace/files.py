"""The PTX files in the folders of the workspace, found, read and kept fresh in the background."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from functools import partial
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

from ptx_ls.files.search import is_ptx
from ptx_ls.server.documents.host import DocumentHost
from ptx_ls.server.workspace import disk
from ptx_ls.server.workspace.directories import Directories, News, look_again
from ptx_ls.server.workspace.file_jobs import Symbols
from ptx_ls.server.workspace.file_scan import examined, is_inside, leading_out, paths_below, stale
from ptx_ls.server.workspace.index import IndexedFile, WorkspaceIndex, read_file
from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from ptx_ls.files.search import Listing
    from ptx_ls.server.client_state.progress import ProgressBars
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.workspace.file_work import FileWork

_log = logging.getLogger(__name__)

_MAX_FILES: Final = 20_000
_MAX_FILES_OF_BATCH: Final = 16
"""Maximum number of files to read before the queue is checked again."""
_MIN_FILES_FOR_PROGRESS: Final = 20
"""Minimum number of files to read for which the user sees progress."""
_PATIENCE: Final = 2.0
"""Maximum number of seconds to wait for files that are still being read."""
_PAUSE_FACTOR: Final = 20
"""The pause before directories are examined again, as a multiple of the time that it took."""
_MAX_WAIT: Final = 0.05
"""Maximum number of seconds that a request waits for directories to be examined."""


class FilesHost(DocumentHost, Protocol):
    """The parts of a session that `WorkspaceFiles` needs."""

    file_work: FileWork
    progress: ProgressBars
    is_told_of_files: bool

    @property
    def folders(self) -> list[str]:
        """The paths of the client's folders that may be read."""
        ...


class WorkspaceFiles:
    """The known files below the folders of the workspace. Use it on the event loop only.

    Attributes:
        index: the symbols of the files, as of the last time that they were read.
        on_change: called with the paths of files that were read again or deleted.
    """

    def __init__(self, host: FilesHost) -> None:
        self.index = WorkspaceIndex()
        self.on_change: Callable[[Iterable[str]], None] = lambda _paths: None
        self._host = host
        self._roots: list[str] = []
        self._told: dict[str, None] = {}  # URIs of files and directories that may have changed
        self._scans: dict[str, None] = {}  # directories to search
        self._files: dict[str, None] = {}  # files to read, in this order
        self._unreadable: dict[str, disk.Stamp] = {}  # files that are not indexed until they change
        self._directories = Directories()
        self._look: asyncio.Task[None] | None = None
        self._next_look = 0.0
        self._task: asyncio.Task[None] | None = None
        self._is_ready = asyncio.Event()
        self._is_ready.set()

    # Requests

    async def ready(self, patience: float | None) -> bool:
        """Waits until all files are read, or `patience` seconds; returns whether they are.

        Detects files that appeared or disappeared without a report.
        """
        await self._look_again()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._is_ready.wait(), patience)
        return self._is_ready.is_set()

    async def has(self, path: str) -> bool:
        """Whether a file is an indexed one of the workspace; waits up to `_PATIENCE` seconds."""
        if self.index.get(path) is None and is_ptx(path) and self._is_inside(path):
            await self.ready(_PATIENCE)
        return self.index.get(path) is not None

    async def load(self, path: str) -> OpenDocument | None:
        """Returns a file of the workspace as if it were open; None if it cannot be read."""
        if self.index.get(path) is None:
            return None
        unit = self._host.unit
        return await self._host.run(lambda _stop: disk.load(path, unit))

    async def freshen(self, files: Iterable[IndexedFile]) -> bool:
        """Rereads those files that have changed; returns whether there were any.

        Some clients do not report changes, and others may not have reported them yet.
        """
        stamps = {file.path: file.stamp for file in files}
        paths = list(await self._host.run(partial(stale, stamps))) if stamps else []
        await self._take_in(paths, self._read_now)
        return bool(paths)

    # Reports of changes

    def set_folders(self) -> None:
        """Scans new folders of the client, and forgets the files of removed ones."""
        roots = list(dict.fromkeys(map(_directory, self._host.folders)))
        added = [root for root in roots if root not in self._roots]
        self._roots = roots
        self._forget(file.path for file in self.index if not self._is_inside(file.path))
        unreadable = self._unreadable.items()
        self._unreadable = {path: stamp for path, stamp in unreadable if self._is_inside(path)}
        self._directories.keep(self._is_searched)
        self._scans = {path: None for path in self._scans if self._is_searched(path)}
        self._files = {path: None for path in self._files if self._is_inside(path)}
        self._scans.update(dict.fromkeys(added))
        self._wake()

    def told(self, uris_: Iterable[str]) -> None:
        """Takes URIs of files or directories that were created, written, moved or deleted."""
        self._told.update(dict.fromkeys(uris_))
        self._wake()

    def released(self, uri: str) -> None:
        """Rereads the file of a saved or closed document, which some clients do not report.

        Also examines directories, as other files are often written at the same time.
        """
        self._begin_look()
        path = uris.to_path(uris.normalized(uri))
        if path is not None and is_ptx(path):
            known = self.index.get(path)
            if known is None or disk.stamp_of(path) != known.stamp:
                self.told([uri])

    def close(self) -> None:
        """Stops reading."""
        for task in (self._task, self._look):
            if task is not None:
                task.cancel()

    # Work

    def _is_inside(self, path: str) -> bool:
        return is_inside(path, self._roots)

    def _is_searched(self, directory: str) -> bool:
        return directory in self._roots or self._is_inside(directory)

    def _forget(self, paths: Iterable[str]) -> None:
        gone = list(paths)
        for path in gone:
            self.index.remove(path)
        if gone:
            self.on_change(gone)

    def _wake(self) -> None:
        has_work = self._told or self._scans or self._files
        if has_work and (self._task is None or self._task.done()):
            self._is_ready.clear()
            self._task = asyncio.ensure_future(self._work())

    async def _look_again(self) -> None:
        """Detects new and removed files, unless it has just done so; waits `_MAX_WAIT` seconds."""
        self._begin_look()
        if self._look is not None:
            await asyncio.wait([self._look], timeout=_MAX_WAIT)

    def _begin_look(self) -> None:
        if self._look is None and self._roots and monotonic() >= self._next_look:
            self._look = asyncio.ensure_future(self._notice())

    async def _notice(self) -> None:
        started = monotonic()
        try:
            roots, known = list(self._roots), self._directories.known()
            self._take_news(await self._host.run(partial(look_again, known, roots)))
            if not self._host.is_told_of_files:
                every = self._unreadable | {file.path: file.stamp for file in self.index}
                self._files.update(await self._host.run(partial(stale, every)))
                self._wake()
        except Exception:  # noqa: BLE001  # a slightly stale answer is better than none
            _log.exception("the directories in the workspace could not be listed")
        finally:
            self._look = None
            self._next_look = monotonic() + _PAUSE_FACTOR * (monotonic() - started)

    def _take_news(self, news: News) -> None:
        news = self._directories.still_new(news)
        self._directories.take(news)
        self._forget_all_but(news.known, news.listings)
        self._files.update((path, None) for path in news.new_files() if not self.index.get(path))
        self._scans.update(dict.fromkeys(news.new_directories()))
        self._wake()

    async def _work(self) -> None:
        """Scans directories and reads files until none are left, or the user cancels."""
        progress, n_done = None, 0
        try:
            while self._told or self._scans or self._files:
                if self._told:
                    await self._examine()
                while self._scans:
                    directory = next(iter(self._scans))
                    del self._scans[directory]
                    self._files.update(await self._scan(directory))
                if progress is None and len(self._files) >= _MIN_FILES_FOR_PROGRESS:
                    progress = self._host.progress.start("Indexing PTX")
                batch = list(islice(self._files, _MAX_FILES_OF_BATCH))
                for path in batch:
                    del self._files[path]
                await self._take_in(batch, self._read_later)
                n_done += len(batch)
                if progress is not None:
                    progress.report(n_done, n_done + len(self._files))
                    if progress.is_cancelled:
                        self._files.clear()
        except Exception:  # noqa: BLE001  # else pending requests would wait for ever
            _log.exception("the files in the workspace could not be read")
        finally:
            if progress is not None:
                progress.end()
            self._is_ready.set()

    async def _examine(self) -> None:
        """Examines the reported paths."""
        told = list(self._told)
        self._told.clear()
        seen = await self._host.run(partial(examined, told, list(self._roots)))
        self._files.update(dict.fromkeys(seen.files))
        self._scans.update(dict.fromkeys(seen.directories))
        for path in seen.gone:
            self._files.pop(path, None)
        directories = [it for it in seen.gone if it in self._directories or not is_ptx(it)]
        inside = tuple(it.rstrip(os.sep) + os.sep for it in directories)
        gone = [path for path in seen.gone if self.index.get(path) is not None]
        if inside:
            self._directories.keep(lambda it: not f"{it}{os.sep}".startswith(inside))
            gone += [file.path for file in self.index if file.path.startswith(inside)]
        self._forget(gone)

    async def _scan(self, root: str) -> dict[str, None]:
        room = _MAX_FILES - len(self.index) - len(self._files)
        found, listings = await self._host.run(partial(paths_below, root, room))
        self._directories.add(it for it in listings if self._is_searched(it.path))
        self._forget_all_but(listings, listings)
        return found

    def _forget_all_but(self, known: Iterable[Listing], listings: Iterable[Listing]) -> None:
        """Forgets the files of the known directories that are not listed."""
        now = {path for it in listings for path in it.files}
        inside = (path for it in known for path in self.index.within(it.path))
        self._forget(path for path in inside if path not in now)

    async def _take_in(
        self, paths: list[str], read: Callable[[str], Awaitable[IndexedFile | None]]
    ) -> None:
        """Indexes the symbols of files.

        Files that are unreadable, or links out of the workspace, are ignored until they change.
        """
        if not paths:
            return
        roots = list(self._roots)
        away, stamps = await self._host.run(
            lambda _stop: (leading_out(paths, roots), disk.sure_stamps_of(paths))
        )
        for path in paths:
            file = await read(path) if path not in away else None
            self.index.remove(path)
            self._unreadable.pop(path, None)
            if file is not None and self._is_inside(path):
                self.index.add(file)
            elif path in stamps and self._is_inside(path):
                self._unreadable[path] = stamps[path]
        self.on_change(paths)

    async def _read_later(self, path: str) -> IndexedFile | None:
        """Reads a file after all earlier jobs on files."""
        return await self._host.file_work.run(Symbols(path, self._host.unit))

    async def _read_now(self, path: str) -> IndexedFile | None:
        """Reads a file at once, for a pending request."""
        unit = self._host.unit
        return await self._host.run(lambda _stop: read_file(path, unit))


def _directory(path: str) -> str:
    """Returns the path of a folder, spelled as it is in the paths of its files."""
    return uris.to_path(uris.normalized(uris.from_path(os.path.normpath(path)))) or path
