"""Lets one process at a time change the files of a folder."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

try:
    import fcntl
except ImportError:  # on Windows, where processes are not kept apart
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def locked(folder: str) -> Iterator[None]:
    """Returns a context that waits for other processes in one for the same folder.

    Some file systems have no locks; there, it does not wait.
    """
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)  # which ends the lock
