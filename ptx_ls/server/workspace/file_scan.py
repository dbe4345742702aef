"""Finds files and changes on the disk. These functions block: use a worker thread."""

from __future__ import annotations

import logging
import os
from pathlib import Path, PurePath
from time import time_ns
from typing import TYPE_CHECKING, Final

from ptx_ls.files.confinement import confined
from ptx_ls.files.search import FoundFile, Listing, Unreadable, below, is_hidden, is_ptx
from ptx_ls.server.workspace import disk
from ptx_ls.server.workspace.directories import sure
from ptx_ls.source import uris
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_log = logging.getLogger(__name__)

_MAX_DIRECTORIES: Final = 50_000
_HIDDEN: Final = f"{os.sep}."


class Seen(NamedTuple):
    """Paths by their type: PTX files, directories to search, and all others."""

    files: list[str]
    directories: list[str]
    gone: list[str]


def is_inside(path: str, roots: Iterable[str]) -> bool:
    """Whether a path is below one of the folders `roots`, but not in a hidden directory of it."""
    for root in roots:
        if path.startswith(root.rstrip(os.sep) + os.sep):
            rest = path[len(root.rstrip(os.sep)) :]
            if _HIDDEN not in rest or not any(map(is_hidden, PurePath(rest).parts[1:-1])):
                return True
    return False


def examined(told: Sequence[str], roots: Sequence[str], should_stop: Callable[[], bool]) -> Seen:
    """Examines the paths of reported URIs, which may have been created, changed or deleted.

    Omits paths that are not below one of the folders `roots`, or are reached through a link.
    """
    seen = Seen([], [], [])
    is_below_link: dict[Path, bool] = {}
    for uri in told:
        if should_stop():
            break
        path = uris.to_path(uris.normalized(uri))
        if path is None or not is_inside(path, roots):
            continue
        place = Path(path)
        if place.parent not in is_below_link:
            is_below_link[place.parent] = _is_below_link(place.parent, roots)
        if is_below_link[place.parent]:
            continue
        if place.is_dir():
            is_searched = not place.is_symlink() and not is_hidden(place.name)
            (seen.directories if is_searched else seen.gone).append(path)
        elif is_ptx(path) and os.path.lexists(path):
            seen.files.append(path)
        else:
            seen.gone.append(path)
    return seen


def _is_below_link(directory: Path, roots: Iterable[str]) -> bool:
    """Whether a directory below one of the folders is reached through a symbolic link."""
    for each in (directory, *directory.parents):
        if str(each) in roots:
            break
        if each.is_symlink():
            return True
    return False


def leading_out(paths: Iterable[str], roots: Iterable[str]) -> set[str]:
    """Returns the paths that are links to a file outside of the folders `roots`."""
    links = [path for path in paths if os.path.islink(path)]  # noqa: PTH114  # for thousands
    return {path for path in links if confined(path, roots) is None}


def stale(stamps: Mapping[str, disk.Stamp], should_stop: Callable[[], bool]) -> dict[str, None]:
    """Returns the files that no longer have these stamps, because they changed or disappeared."""
    found: dict[str, None] = {}
    for path, stamp in stamps.items():
        if should_stop():
            break
        if disk.stamp_of(path) != stamp:
            found[path] = None
    return found


def paths_below(
    root: str, room: int, should_stop: Callable[[], bool]
) -> tuple[dict[str, None], list[Listing]]:
    """Returns the files below a directory, about `room` at most, and the directories."""
    found: dict[str, None] = {}
    listings: list[Listing] = []
    began = time_ns()
    for each in below(root):
        if isinstance(each, FoundFile):
            found[each.path] = None
        elif isinstance(each, Unreadable):
            _log.warning("%s is skipped: %s", each.path, each.reason)
        else:
            listings.append(sure(each, began))
        if len(found) >= room or len(listings) >= _MAX_DIRECTORIES:
            _log.warning("%s has too many files: some are skipped", root)
            break
        if should_stop():
            break
    return found, listings
