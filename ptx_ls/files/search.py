"""Finds PTX files on the disk. An unreadable path raises nothing: the result has the reason."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING, Final, Protocol

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIX: Final = ".ptx"


class FoundFile(NamedTuple):
    """A regular file. `size` is in bytes."""

    path: str
    size: int


class Unreadable(NamedTuple):
    """A path that cannot be read, and the reason."""

    path: str
    reason: str


class Listing(NamedTuple):
    """The paths within a directory: its `.ptx` files, and the directories that are searched.

    `time`: the time of the last addition or removal, in nanoseconds; None if unknown.
    """

    path: str
    time: int | None
    files: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()


class IsLeftOut(Protocol):
    """Whether a search leaves out a path."""

    def __call__(self, path: str, *, is_folder: bool) -> bool:
        """Returns the decision; that on a folder applies to everything in it."""


def below(
    root: str, is_left_out: IsLeftOut | None = None
) -> Iterator[FoundFile | Unreadable | Listing]:
    """Yields `.ptx` files below a directory, without hidden directories and links to directories.

    `is_left_out` says which other paths to leave out.

    An unreadable directory does not end the search. The listing of a directory comes after its
    files, so that a caller that has seen enough can stop.
    """
    pending = [root]
    while pending:
        directory = pending.pop()
        found = listing(directory)
        if isinstance(found, Unreadable):
            yield found
            yield Listing(directory, None)
        else:
            files, directories = found.files, found.directories
            if is_left_out is not None:
                files = tuple([it for it in files if not is_left_out(it, is_folder=False)])
                directories = tuple(
                    [it for it in directories if not is_left_out(it, is_folder=True)]
                )
            pending += directories
            yield from map(look, files)
            yield found


def listing(directory: str) -> Listing | Unreadable:
    """Returns the contents of a directory."""
    files: list[str] = []
    directories: list[str] = []
    try:
        changed = os.stat(directory).st_mtime_ns
        with os.scandir(directory) as entries:
            for entry in entries:
                path = entry.name if directory == os.curdir else os.path.join(directory, entry.name)
                if entry.is_dir(follow_symlinks=False):
                    if not is_hidden(entry.name) and not _is_junction(entry):
                        directories.append(path)
                elif is_ptx(entry.name) and not _leads_away(entry) and not os.path.isdir(path):
                    files.append(path)
    except (OSError, ValueError) as error:
        return Unreadable(directory, reason_of(error))
    return Listing(directory, changed, tuple(files), tuple(directories))


def _is_junction(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a directory junction of Windows, which Python reports since 3.12."""
    return sys.version_info >= (3, 12) and entry.is_junction()


def _leads_away(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a link to another machine or a device, which is not even accessed."""
    if not entry.is_symlink():
        return False
    from ptx_ls.files.confinement import leads_away  # noqa: PLC0415  # few directories have links

    return leads_away(entry.path)


def has_changed(known: Listing) -> bool:
    """Whether a directory has changed since it was listed, or may have."""
    try:
        return known.time is None or os.stat(known.path).st_mtime_ns != known.time
    except (OSError, ValueError):
        return True


def is_hidden(name: str) -> bool:
    """Whether a directory called `name` is skipped unless the user names it."""
    return name.startswith(".")


def is_ptx(path: str) -> bool:
    """Whether the name of a file says that it contains PTX."""
    return path.lower().endswith(SUFFIX)


def look(path: str) -> FoundFile | Unreadable:
    """Returns the file at a path, or the reason why it cannot be read."""
    try:
        return classified(path, os.stat(path))
    except (OSError, ValueError) as error:
        return missing(path, error)


def missing(path: str, error: OSError | ValueError) -> Unreadable:
    """Returns why a path cannot be read, given the error of `os.stat`."""
    is_link = isinstance(error, FileNotFoundError) and os.path.islink(path)
    return Unreadable(path, "a broken link" if is_link else reason_of(error))


def classified(path: str, status: os.stat_result) -> FoundFile | Unreadable:
    """Classifies a path. Only regular files are opened: others may block or have effects."""
    if stat.S_ISREG(status.st_mode):
        return FoundFile(path, status.st_size)
    hint = "; `-` reads standard input" if stat.S_ISFIFO(status.st_mode) else ""
    return Unreadable(path, f"{kind_of(status.st_mode)}, not a file{hint}")


def kind_of(mode: int) -> str:
    """Returns what a path leads to that is neither a regular file nor a directory."""
    if stat.S_ISFIFO(mode):
        return "a FIFO"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device"


def reason_of(error: Exception) -> str:
    """Returns the message of an error, without the path."""
    if isinstance(error, MemoryError):
        return "not enough memory"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)
