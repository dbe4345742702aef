"""The standard streams of the process, as pipes to the client."""

from __future__ import annotations

import os
import select
import sys
from io import FileIO
from typing import BinaryIO, Final

N_READ: Final = 1 << 16
"""Maximum number of bytes to read, or to write without a thread, at once."""
_N_BUFFERED: Final = 4096
"""Number of bytes for which a writable pipe has room."""


def take_stdio() -> tuple[FileIO, FileIO]:
    """Returns stdin and stdout for the protocol, and reserves them.

    From then on, all other output goes to stderr, and other readers of stdin get no input.
    """
    stdin = os.fdopen(os.dup(0), "rb", buffering=0)
    stdout = os.fdopen(os.dup(1), "wb", buffering=0)
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415

        for file in (stdin, stdout):
            msvcrt.setmode(file.fileno(), os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return stdin, stdout


def write_now(pipe: BinaryIO, data: memoryview) -> memoryview:
    """Writes as much as a pipe accepts without blocking; returns the rest.

    Raises:
        OSError: if the reader is gone.
    """
    while data and _has_room(pipe):
        data = data[pipe.write(data[:_N_BUFFERED]) :]
    return data


def _has_room(pipe: BinaryIO) -> bool:
    """Whether a pipe accepts `_N_BUFFERED` bytes without blocking."""
    if sys.platform == "win32":  # not known there
        return False
    return bool(select.select((), (pipe,), (), 0)[1])


def announce(message: str) -> None:
    """Prints a message for the user who started the server."""
    print(f"ptx-ls: {message}", file=sys.stderr, flush=True)  # noqa: T201  # stdout is not touched
