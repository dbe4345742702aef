"""Finds files that appeared or disappeared without a notification from the client.

A client that watches files reports a moved or deleted directory by its own name only, or not at
all; other clients watch nothing. So directories are examined again before a request on several
files is answered, which takes a thousandth of the time of reading the files.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from ptx_ls.files.search import Listing, has_changed, listing
from ptx_ls.server.workspace.disk import CLOCK_RESOLUTION
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

_MAX_EMPTY_DIRECTORIES: Final = 5_000
"""Maximum number of directories without PTX files to examine again."""


class News(NamedTuple):
    """Changed directories: as they were (`known`), and as they are now, if they still exist."""

    known: list[Listing]
    listings: list[Listing]

    def new_files(self) -> list[str]:
        """Returns the files that were not there before."""
        before = {path for it in self.known for path in it.files}
        return [path for it in self.listings for path in it.files if path not in before]

    def new_directories(self) -> list[str]:
        """Returns the directories that were not there before."""
        before = {path for it in self.known for path in it.directories}
        return [path for it in self.listings for path in it.directories if path not in before]


class Directories:
    """The directories that were searched, as they were at that time. Use it on one thread only."""

    def __init__(self) -> None:
        self._listings: dict[str, Listing] = {}
        self._n_empty = 0

    def __contains__(self, path: str) -> bool:
        return path in self._listings

    def add(self, listings: Iterable[Listing]) -> None:
        """Adds directories, but only a limited number of those without PTX files."""
        for it in listings:
            self.remove(it.path)
            if it.files or self._n_empty < _MAX_EMPTY_DIRECTORIES:
                self._listings[it.path] = it
                self._n_empty += not it.files

    def remove(self, path: str) -> None:
        """Forgets a directory."""
        known = self._listings.pop(path, None)
        self._n_empty -= known is not None and not known.files

    def keep(self, is_wanted: Callable[[str], bool]) -> None:
        """Forgets the directories that are not wanted."""
        for path in [path for path in self._listings if not is_wanted(path)]:
            self.remove(path)

    def known(self) -> list[Listing]:
        """Returns all directories, as `look_again` runs on another thread."""
        return list(self._listings.values())

    def still_new(self, news: News) -> News:
        """Returns the news of those directories that were not listed again or forgotten since."""
        known = [it for it in news.known if self._listings.get(it.path) is it]
        paths = {it.path for it in known}
        return News(known, [it for it in news.listings if it.path in paths])

    def take(self, news: News) -> None:
        """Records the new state of directories."""
        for it in news.known:
            self.remove(it.path)
        self.add(news.listings)


def look_again(
    known: Iterable[Listing], roots: Collection[str], should_stop: Callable[[], bool]
) -> News:
    """Lists changed directories again; keeps a deleted root, which may be created again."""
    began = time.time_ns()
    before: list[Listing] = []
    now: list[Listing] = []
    for each in known:
        if should_stop():
            break
        if not has_changed(each):
            continue
        found = listing(each.path)
        before.append(each)
        if isinstance(found, Listing):
            now.append(sure(found, began))
        elif each.path in roots:
            now.append(Listing(each.path, None))
    return News(before, now)


def sure(found: Listing, began: int) -> Listing:
    """Returns the listing, without its time if a later change may leave the same time.

    `began`: when the listing began.
    """
    is_sure = found.time is not None and found.time < began - CLOCK_RESOLUTION
    return found if is_sure else found._replace(time=None)
