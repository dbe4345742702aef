"""Reads files that the user or a project names besides PTX: configurations, baselines, lists."""

from __future__ import annotations

import errno
import os
import stat
from typing import Final

from ptx_ls.files.search import kind_of

_STREAMS: Final = ("/dev/fd/", "/proc/self/fd/")
_STANDARD_STREAMS: Final = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_MAX_DIGITS: Final = 9


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


def stream_number(path: str) -> int | None:
    """Returns the number of an open stream, for a path such as `/dev/stdout`; otherwise None.

    A shell names a pipe so, for `>(COMMAND)`, and its real path does not exist.
    """
    path = os.path.abspath(path)
    for folder in _STREAMS:
        digits = path.removeprefix(folder)
        if digits != path and digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS:
            return int(digits)
    return _STANDARD_STREAMS.get(path)
