"""Reads documents that are not open from the disk."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from time import time_ns
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from ptx_ls.files.search import Unreadable, look, reason_of
from ptx_ls.server.documents.open_documents import OpenDocument
from ptx_ls.source import uris
from ptx_ls.source.encoding import EncodingError, decode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.lint.shared_caches import SharedCaches
    from ptx_ls.source.columns import ColumnUnit

_log = logging.getLogger(__name__)

MAX_FILE_SIZE: Final = 50_000_000
"""Maximum size, in bytes, of a file that is read although it is not open."""

CLOCK_RESOLUTION: Final = 50_000_000
"""Nanoseconds within which two changes on a disk may have the same time, rounded up."""
_UNSURE: Final = -1
"""A time that no file has."""

Stamp = tuple[int, int]
"""The size and time of a file; if they differ, the file has changed."""


def stamp_of(path: str) -> Stamp | None:
    """Returns the size and time of a file; None if it does not exist."""
    try:
        status = os.stat(path)  # noqa: PTH116  # there are many, and this takes a third
    except (OSError, ValueError):
        return None
    return status.st_size, status.st_mtime_ns


def sure_stamp_of(path: str) -> Stamp | None:
    """Returns the stamp of a file that is read next, to compare with `stamp_of` later.

    If a later change may have the same time, it is a stamp that no file has.
    """
    now, stamp = time_ns(), stamp_of(path)
    if stamp is None or abs(stamp[1] - now) > CLOCK_RESOLUTION:
        return stamp
    return stamp[0], _UNSURE


def sure_stamps_of(paths: Iterable[str]) -> dict[str, Stamp]:
    """Returns the stamps of those files that exist, as `sure_stamp_of` does."""
    found = {path: sure_stamp_of(path) for path in paths}
    return {path: stamp for path, stamp in found.items() if stamp is not None}


def read(path: str) -> str | None:
    """Returns the text of a file; logs and returns None if it is unreadable, not text, or huge."""
    found = look(path)
    if isinstance(found, Unreadable):
        _log.warning("%s is skipped: %s", path, found.reason)
        return None
    if found.size > MAX_FILE_SIZE:
        _log.warning("%s is skipped: it is larger than %s bytes", path, f"{MAX_FILE_SIZE:,}")
        return None
    try:
        with Path(path).open("rb") as stream:
            return decode(stream.read(MAX_FILE_SIZE + 1)).text
    except (OSError, EncodingError) as error:
        _log.warning("%s is skipped: %s", path, reason_of(error))
        return None


def load(path: str, unit: ColumnUnit, caches: SharedCaches | None = None) -> OpenDocument | None:
    """Returns a file as if it were open; None as `read`. Blocks, so call it on a worker thread."""
    text = read(path)
    if text is None:
        return None
    if caches is not None:
        caches.begin(len(text))
    item = types.TextDocumentItem(uris.from_path(path), "ptx", 0, text)
    reader = caches.reader if caches is not None else None
    opened = OpenDocument(item, unit, is_late=True, reader=reader)
    _ = opened.document  # read on this thread, not on the event loop later
    return opened
