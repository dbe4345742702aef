"""Entries of bytes by key, in files that several processes may read and write at once.

An entry is complete or absent, and has a digest, so that a damaged one counts as absent. The least
recently used entries are deleted if there are too many.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ptx_ls.cli.cache.digest import N_BYTES, digest_of_parts
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES: Final = 512_000_000
"""The size that the entries may have together."""
_KEPT: Final = 0.75
"""The part of the maximum size that is kept when entries are deleted."""
_CHECKED_EVERY: Final = 16
"""Entries are counted each time a sixteenth of the maximum size has been written."""
_BLOCK: Final = 4096
"""Entries take whole blocks of a disk."""
_WRITTEN: Final = "written"
"""The file that has a byte for each block that was written since entries were counted."""
_NEW: Final = ".new"
_SECONDS_BETWEEN_TOUCHES: Final = 3600
_SECONDS_OF_A_WRITE: Final = 3600
"""The process of a file that is not complete after this time was killed."""


class _Entry(NamedTuple):
    """A file of the store: when it was used last, its size and its path."""

    used: float
    size: int
    path: str


class Store:
    """The entries in a folder, which exists. Methods raise OSError only where they say so."""

    def __init__(self, folder: str, max_bytes: int = MAX_BYTES) -> None:
        self.folder = folder
        self._max_bytes = max_bytes

    def get(self, key: bytes) -> bytes | None:
        """Returns the entry of a key; None if it is missing, damaged or unreadable."""
        path = self._path(key)
        try:
            with open(path, "rb") as stream:
                found = stream.read()
                used = os.fstat(stream.fileno()).st_mtime
        except OSError:
            return None
        content = found[N_BYTES:]
        if found[:N_BYTES] != digest_of_parts(key, content):
            return None
        if abs(time.time() - used) > _SECONDS_BETWEEN_TOUCHES:
            with suppress(OSError):
                os.utime(path)
        return content

    def put(self, key: bytes, content: bytes) -> None:
        """Writes or replaces the entry of a key.

        Raises:
            OSError: if it cannot be written.
        """
        path = self._path(key)
        new = f"{path}.{os.getpid()}-{time.monotonic_ns()}{_NEW}"
        try:
            descriptor = _opened(new)
            with open(descriptor, "wb") as stream:
                stream.write(digest_of_parts(key, content) + content)
            os.replace(new, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(new)
            raise
        self._count(len(content))

    def clear(self) -> int:
        """Deletes all entries; returns how many bytes they had.

        Raises:
            OSError: if an entry cannot be deleted.
        """
        n_bytes = 0
        for entry in self._entries():
            os.unlink(entry.path)
            n_bytes += entry.size
        return n_bytes

    def _path(self, key: bytes) -> str:
        name = key.hex()
        return os.path.join(self.folder, name[:2], name[2:])

    def _count(self, n_bytes: int) -> None:
        """Notes that an entry was written, and deletes old ones if there may be too many.

        Raises:
            OSError: if it cannot be noted.
        """
        with open(os.path.join(self.folder, _WRITTEN), "ab") as stream:
            stream.write(bytes(-(-n_bytes // _BLOCK)))
            n_blocks = stream.tell()
            if n_blocks * _BLOCK >= self._max_bytes // _CHECKED_EVERY:
                stream.truncate(0)
                self._trim()

    def _trim(self) -> None:
        entries = sorted(self._entries(), reverse=True)
        if sum(map(_blocks_of, entries)) * _BLOCK <= self._max_bytes:
            return
        n_left = int(self._max_bytes * _KEPT) // _BLOCK
        for entry in entries:
            n_left -= _blocks_of(entry)
            if n_left < 0:
                with suppress(OSError):  # another process deleted it, or reads it on Windows
                    os.unlink(entry.path)

    def _entries(self) -> Iterator[_Entry]:
        """Yields the entries, and deletes what killed processes left of new ones."""
        for folder in _names_in(self.folder):
            for path in _names_in(folder) if len(os.path.basename(folder)) == 2 else ():  # noqa: PLR2004
                try:
                    state = os.stat(path)
                    if path.endswith(_NEW):
                        if time.time() - state.st_mtime > _SECONDS_OF_A_WRITE:
                            os.unlink(path)
                        continue
                except OSError:  # it was deleted meanwhile
                    continue
                yield _Entry(state.st_mtime, state.st_size, path)


def _opened(path: str) -> int:
    """Opens a new file, and makes its folder if necessary; returns the descriptor."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        with suppress(FileExistsError):
            os.mkdir(os.path.dirname(path), 0o700)
        return os.open(path, flags, 0o600)


def _blocks_of(entry: _Entry) -> int:
    return -(-entry.size // _BLOCK)


def _names_in(folder: str) -> list[str]:
    """Returns the paths of what is in a folder; nothing if it is not a folder."""
    try:
        return [os.path.join(folder, name) for name in os.listdir(folder)]
    except OSError:
        return []
