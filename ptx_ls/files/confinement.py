r"""Limits which files can be opened through a name in a document, or a link in the workspace.

A document may come from anywhere, so a name in it can only refer to regular files below folders
that the user opened, or directly in one directory. Names of other machines and of devices are
rejected before the disk is accessed: on Windows, even asking for the size of `\\host\share` logs in
to that host.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
import stat
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, BinaryIO, Final

from ptx_ls.source.uris import NATIVE_FLAVOUR, PathFlavour

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_LINKS: Final = 40
"""Maximum number of links that are followed in one path, as in Linux."""
MAX_NAME_LENGTH: Final = 4096
"""Maximum number of characters of a name that is looked up, as in Linux."""
_CONTROL: Final = re.compile(r"[\0-\x1f\x7f]")
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_DEVICE_DIRECTORIES: Final = frozenset({"dev", "proc", "sys"})
_DEVICE: Final = re.compile(
    r"(?:CON|PRN|AUX|NUL|CLOCK\$|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])\s*(?:\..*)?", re.IGNORECASE
)
_EXTENDED: Final = re.compile(r"\\\\\?\\(?=[A-Za-z]:\\)")


def is_local(name: str, flavour: PathFlavour = NATIVE_FLAVOUR) -> bool:
    r"""Whether a name can refer to a file on a disk of this machine; accesses no disk.

    `\\host\share`, `//host/share`, `\\.\pipe\x`, `file://host/share`, `NUL`, `a.cu:stream`,
    `C:relative`, `/dev/tty` and `/proc/self/environ` cannot.
    """
    if not name or len(name) > MAX_NAME_LENGTH or _CONTROL.search(name) or _URL.match(name):
        return False
    slashed = name.replace("\\", "/")
    if slashed.startswith(("//", "/??/")):
        return False
    if flavour is PathFlavour.WINDOWS:
        path = PureWindowsPath(name)
        if path.drive and not path.root:
            return False
        parts = path.parts[1:] if path.anchor else path.parts
        return not any(":" in part or _DEVICE.fullmatch(part.rstrip(" .")) for part in parts)
    parts = PurePosixPath(posixpath.normpath(name)).parts
    return not (parts[:1] == ("/",) and len(parts) > 1 and parts[1] in _DEVICE_DIRECTORIES)


def is_below(path: str, folder: str, flavour: PathFlavour = NATIVE_FLAVOUR) -> bool:
    """Whether a path is a folder or below it, judged by name only; Windows ignores case."""
    return _pure(path, flavour).is_relative_to(_pure(folder, flavour))


def is_beside(path: str, directory: str, flavour: PathFlavour = NATIVE_FLAVOUR) -> bool:
    """Whether a path is directly in a directory, judged by name only."""
    return _pure(path, flavour).parent == _pure(directory, flavour)


def confined(path: str, folders: Iterable[str], directory: str | None = None) -> str | None:
    """Returns the real path of a regular file below one of the folders, or directly in `directory`.

    Links are followed, and their destination counts. Returns None if there is no such file, or it
    is elsewhere; nothing outside is accessed, not even to see whether it exists.
    """
    path = os.path.normpath(path)
    if not os.path.isabs(path) or not is_local(path):
        return None
    above = [*folders]
    roots = [*above, *filter(None, map(real_or_none, above))]
    directories = [] if directory is None else [directory, *filter(None, [real_or_none(directory)])]

    def is_inside(place: str) -> bool:
        return any(is_below(place, it) for it in roots) or any(
            is_beside(place, it) for it in directories
        )

    found = real_or_none(path) if is_inside(path) else None
    if found is None or not is_inside(found):
        return None
    return found if stat.S_ISREG(os.lstat(found).st_mode) else None


def leads_away(link: str) -> bool:
    """Whether a link leads to another machine or a device; a broken link does not."""
    try:
        return real(link) is None
    except OSError:
        return False


def real(path: str) -> str | None:
    """Resolves links in an absolute path; returns None if one leads to another machine or a device.

    Each link is read before it is followed.

    Raises:
        OSError: if nothing exists there, or links form a cycle.
    """
    path = os.path.abspath(path)
    if not is_local(path):
        return None
    place, pending = _cut(path)
    n_links = 0
    while pending:
        part = pending.pop()
        if part == os.pardir:
            place = os.path.dirname(place)
            continue
        step = os.path.join(place, part)
        if not _is_link(os.lstat(step)):
            place = step
            continue
        n_links += 1
        target = _EXTENDED.sub("", os.readlink(step))
        if not is_local(target):
            return None
        if n_links > MAX_LINKS:
            raise OSError(f"too many links: {path}")
        anchor, more = _cut(target)
        place = anchor or place
        pending += more
    return place if is_local(place) else None


def real_or_none(path: str) -> str | None:
    """Does what `real` does, but also returns None if nothing exists there."""
    try:
        return real(path)
    except (OSError, ValueError):
        return None


def open_regular(path: str) -> BinaryIO | None:
    """Opens a file that `confined` found; returns None if it has stopped being a regular file.

    Raises:
        OSError: if it cannot be opened.
    """
    # The file may have become a link or a pipe since. Not every system has all flags.
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
        flags |= getattr(os, name, 0)
    stream = os.fdopen(os.open(path, flags), "rb")
    if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        return stream
    stream.close()
    return None


def _is_link(status: os.stat_result) -> bool:
    """Whether a file is a link; on Windows also a junction or a mount point."""
    tag = getattr(status, "st_reparse_tag", 0)
    return stat.S_ISLNK(status.st_mode) or tag == getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)


def _cut(path: str) -> tuple[str, list[str]]:
    """Returns the anchor of a path, "" if relative, and its parts, the last one first."""
    pure = PurePath(path)
    parts = pure.parts[1:] if pure.anchor else pure.parts
    return pure.anchor, list(reversed(parts))


def _pure(path: str, flavour: PathFlavour) -> PurePath:
    """Returns a path without `.` and `..`, judged by name only."""
    if flavour is PathFlavour.WINDOWS:
        return PureWindowsPath(ntpath.normpath(path))
    return PurePosixPath(posixpath.normpath(path))
