"""Reads configuration files without leaving the workspace, and notices when they change.

These functions block: use one thread.
"""

from __future__ import annotations

import hashlib
import os
from errno import ENOENT
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.confinement import confined, is_below, is_local, open_regular
from ptx_ls.server.workspace import disk
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_SIZE: Final = 1_000_000
"""Maximum size, in bytes, of a configuration file."""
_LINK: Final = "the link does not point to a file in the workspace"
_NO_FILE: Final = "not a file"


class ReadableFolders(NamedTuple):
    """The folders from which configuration files may be read.

    Attributes:
        workspace: the folders of the workspace.
        allowed: further folders in which the user allows files to be read.
        may_read: whether the client may read files in a folder.
    """

    workspace: tuple[str, ...]
    allowed: tuple[str, ...]
    may_read: Callable[[str], bool]


class _PathState(NamedTuple):
    """A path as it was found: the file it leads to, its stamp, and a digest of its content.

    The stamp is one of `disk.sure_stamp_of`, so that no later change leaves it the same.
    `obstacle`: why it is not read although there is something; "" otherwise.
    """

    real: str | None
    stamp: disk.Stamp | None
    obstacle: str = ""
    digest: bytes = b""


class WorkspaceAccess:
    """Access to the configuration files that a workspace may use.

    A configuration is read in the folder of a document and in those above it, but not through a
    link that leads out of the workspace. The files that it extends must be in the workspace, too;
    those of a configuration outside of it, in its folder or below.
    """

    def __init__(self, folders: ReadableFolders) -> None:
        self.folders = folders
        self._seen: dict[tuple[str, str], _PathState] = {}
        self._readable: dict[str, bool] = {}

    def has(self, path: str) -> bool:
        """Whether there is a configuration file with this path.

        A link out of the workspace, a folder or a FIFO of that name is a mistake that is reported.
        """
        state = self._look(path)
        return state.real is not None or state.obstacle != ""

    def has_entry(self, path: str) -> bool:
        """Whether there is a file or folder with this path."""
        return self._may_read(_folder(path)) and os.path.lexists(path)

    def read(self, path: str, extended_by: str = "") -> bytes:
        """Returns the content of a file; `extended_by`: the file whose `extend` leads to it.

        Raises:
            OSError: if it cannot be read.
            ConfigurationError: if it may not be read, or is too large.
        """
        state = self._look(path, extended_by)
        if state.real is None and extended_by:
            raise ConfigurationError(
                f"{extended_by}: `extend`: `{path}` is not a file in the workspace"
            )
        if state.obstacle:
            raise ConfigurationError(f"{path}: {state.obstacle}")
        if state.real is None:
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
        try:
            content = _content(path, state.real)
        except OSError:  # it may become readable without another time
            self._seen[path, extended_by] = state._replace(stamp=None)
            raise
        self._seen[path, extended_by] = state._replace(digest=_digest(content))
        return content

    def digest(self, path: str) -> bytes:
        """Returns a digest of the content of a file that was read; empty if it was not."""
        return self._look(path).digest

    def has_changed(self) -> bool:
        """Whether files have appeared, changed or disappeared since they were last checked."""
        return any(self._differs(key, state) for key, state in [*self._seen.items()])

    def _differs(self, key: tuple[str, str], before: _PathState) -> bool:
        now = self._state(*key)
        stamp = None if now.real is None else disk.stamp_of(now.real)
        if now._replace(stamp=stamp) == before._replace(digest=b""):
            return False
        if not before.digest or now.real is None:
            return True
        try:
            digest = _digest(_content(key[0], now.real))
        except (OSError, ConfigurationError):
            return True
        self._seen[key] = now._replace(digest=digest)
        return digest != before.digest

    def _look(self, path: str, extended_by: str = "") -> _PathState:
        """Returns the state of a path, and keeps it for a later comparison."""
        key = path, extended_by
        if key not in self._seen:
            self._seen[key] = self._state(*key)
        return self._seen[key]

    def _state(self, path: str, extended_by: str) -> _PathState:
        real = self._real(path, extended_by)
        if real is not None:
            return _PathState(real, disk.sure_stamp_of(real))
        obstacle = ""
        if not extended_by and self.has_entry(path):
            obstacle = _NO_FILE
            if Path(path).is_symlink():
                obstacle = _LINK
        return _PathState(None, None, obstacle)

    def _real(self, path: str, extended_by: str) -> str | None:
        """Returns the file that a path leads to; None if it may not be read."""
        folder, (workspace, allowed, _) = _folder(path), self.folders
        if not self._may_read(folder):
            return None
        if not extended_by:
            is_there = os.path.lexists(path)
            return confined(path, (*workspace, *allowed), folder) if is_there else None
        if not any(is_below(extended_by, each) for each in workspace):
            workspace = (_folder(extended_by),)
        return confined(path, (*workspace, *allowed))

    def _may_read(self, folder: str) -> bool:
        if folder not in self._readable:
            self._readable[folder] = is_local(folder) and self.folders.may_read(folder)
        return self._readable[folder]


def _content(path: str, real: str) -> bytes:
    stream = open_regular(real)
    if stream is None:
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
    with stream:
        content = stream.read(_MAX_SIZE + 1)
    if len(content) > _MAX_SIZE:
        raise ConfigurationError(f"{path}: larger than {_MAX_SIZE:,} bytes")
    return content


def _folder(path: str) -> str:
    return str(PurePath(path).parent)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()
