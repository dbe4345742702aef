"""The folders in which a change may concern a run over files, and which changes do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ptx_ls.files import search
from ptx_ls.files.configuration.reading import NAMES
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.files.search import IsLeftOut

_OTHER_NAMES: Final = frozenset({*NAMES, ".gitignore", ".git"})
"""Names of other files that decide what is checked and how."""
_WILDCARDS: Final = "*?["


class WatchedPaths(NamedTuple):
    """The files and folders to watch; all paths are absolute.

    Attributes:
        folders: the folders, without those below them.
        files: the files that matter whatever they are called.
    """

    folders: frozenset[str]
    files: frozenset[str]

    def concerns(self, path: str) -> bool:
        """Whether a change at an absolute path may concern the run."""
        if path in self.files or path in self.folders or search.is_ptx(path):
            return True
        return os.path.basename(path) in _OTHER_NAMES or os.path.isdir(path)


def watched_paths(
    paths: Iterable[str], others: Iterable[str], is_left_out: IsLeftOut | None = None
) -> WatchedPaths:
    """Returns what to watch for a run.

    Args:
        paths: the files, directories and patterns that the user names.
        others: further files that the run reads, such as configurations.
        is_left_out: the folders that a search leaves out.
    """
    files = {os.path.abspath(each) for each in others}
    folders = set[str]()
    for path in paths:
        absolute = os.path.abspath(path)
        if os.path.isdir(absolute):
            folders.update(_tree(absolute, is_left_out))
        elif not os.path.lexists(absolute) and any(each in absolute for each in _WILDCARDS):
            base = _existing(_before_wildcards(absolute))
            folders.update(_tree(base, is_left_out))
        else:
            files.add(absolute)
    files.update([os.path.realpath(each) for each in files])
    folders.update([_existing(os.path.dirname(each)) for each in files])
    folders.update([above for each in [*folders] for above in _above(each)])
    return WatchedPaths(frozenset(folders), frozenset(files))


def _tree(root: str, is_left_out: IsLeftOut | None) -> Iterator[str]:
    """Yields a folder and those below it that a search visits."""
    for each in search.below(root, is_left_out):
        if isinstance(each, search.Listing):
            yield each.path


def _before_wildcards(pattern: str) -> str:
    """Returns the folder of a pattern above its first wildcard."""
    first = min(pattern.index(each) for each in _WILDCARDS if each in pattern)
    return os.path.dirname(pattern[:first])


def _existing(folder: str) -> str:
    """Returns a folder, or the closest one above it that exists."""
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


def _above(folder: str) -> Iterator[str]:
    """Yields the folders above a folder, in which configurations may appear."""
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        yield folder
