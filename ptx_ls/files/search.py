"""Where PTX is on the disk. Nothing here fails: what cannot be read says why."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIX: Final = ".ptx"


class File(NamedTuple):
    """A regular file. `size` is in bytes."""

    path: str
    size: int


class Unreadable(NamedTuple):
    """A path that gives nothing to read, and why."""

    path: str
    reason: str


def below(root: str) -> Iterator[File | Unreadable | None]:
    """The `.ptx` files below a directory, without hidden directories and links to directories.

    A file beside a directory that cannot be read is found all the same. After each directory None
    comes, so that who has seen enough can leave.
    """
    pending = [root]
    while pending:
        directory = pending.pop()
        try:
            with os.scandir(directory) as scan:
                entries = list(scan)
        except OSError as error:
            yield Unreadable(directory, reason_of(error))
            continue
        for entry in entries:
            path = entry.name if directory == os.curdir else os.path.join(directory, entry.name)
            if entry.is_dir(follow_symlinks=False):
                if not is_hidden(entry.name):
                    pending.append(path)
            elif is_ptx(entry.name) and not os.path.isdir(path):
                yield look(path)
        yield None


def is_hidden(name: str) -> bool:
    """Whether a directory of that name is left alone, unless somebody names it."""
    return name.startswith(".")


def is_ptx(path: str) -> bool:
    """Whether a file of that name holds PTX."""
    return path.lower().endswith(SUFFIX)


def look(path: str) -> File | Unreadable:
    """What is at a path: a file, or why it is none."""
    try:
        return classified(path, os.stat(path))
    except (OSError, ValueError) as error:
        return missing(path, error)


def missing(path: str, error: OSError | ValueError) -> Unreadable:
    """What is said of a path that `os.stat` fails on."""
    is_link = isinstance(error, FileNotFoundError) and os.path.islink(path)
    return Unreadable(path, "a link to nothing" if is_link else reason_of(error))


def classified(path: str, status: os.stat_result) -> File | Unreadable:
    """What is no regular file is never opened: that could wait for ever, or do something."""
    mode = status.st_mode
    if stat.S_ISREG(mode):
        return File(path, status.st_size)
    if stat.S_ISFIFO(mode):
        return Unreadable(path, "a FIFO, not a file; `-` reads standard input")
    if stat.S_ISSOCK(mode):
        return Unreadable(path, "a socket, not a file")
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return Unreadable(path, "a device, not a file")
    return Unreadable(path, "not a regular file")


def reason_of(error: OSError | ValueError) -> str:
    """What went wrong, without the path."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)
