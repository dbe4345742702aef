"""Reads files that the user or a project names besides PTX: configurations, baselines, lists."""

from __future__ import annotations

import errno
import os
import stat

from ptx_ls.files.search import kind_of
from ptx_ls.files.writing import stream_number


def read_named(path: str) -> bytes:
    """Returns the bytes of a file, or of a stream of this process such as `/dev/fd/63`.

    A FIFO or a device is refused, because reading it might never end.

    Raises:
        OSError: if it cannot be read.
    """
    status = os.stat(path)
    is_stream = path == os.devnull or stream_number(path) is not None
    if not is_stream and not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EINVAL, f"{kind_of(status.st_mode)}, not a file")
    with open(path, "rb") as stream:
        return stream.read()
