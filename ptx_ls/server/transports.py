"""How bytes travel on stdin and stdout; `network` has TCP and WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import select
import sys
import threading
from collections.abc import Callable
from io import FileIO
from typing import BinaryIO

from pygls.exceptions import JsonRpcParseError

from ptx_ls.server.framing import Deframer, FramingError
from ptx_ls.server.language_server import PtxServer

_N_AT_ONCE = 1 << 16
_N_MOST = 1 << 20  # what Linux lets a pipe hold
_N_BUFFERED = 4096  # a pipe that has any room has room for this much
_FAREWELL = 2.0  # seconds


async def serve_stdio(stdin: FileIO, stdout: BinaryIO) -> int:
    """Serves one client until it leaves, and returns the exit code. Both must be unbuffered."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def end(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    server = PtxServer(end, watches_parent=True)
    writer = PipeWriter(stdout, end)
    server.protocol.set_writer(writer)
    is_in_loop = _read_in_loop(stdin, loop, server)
    if not is_in_loop:
        threading.Thread(
            target=_read_pipe, args=(stdin, loop, server), name="ptx-ls stdin", daemon=True
        ).start()
    try:
        return await ended
    finally:
        if is_in_loop:
            loop.remove_reader(stdin)
        server.close()
        writer.close()


def _read_in_loop(stdin: FileIO, loop: asyncio.AbstractEventLoop, server: PtxServer) -> bool:
    """Reads what comes as soon as it does; False where the loop cannot wait for this kind of file.

    To wake a thread, and have that wake the loop, takes longer than most answers.
    """
    deframer = Deframer()
    room = memoryview(bytearray(_N_MOST if _widen(stdin) else _N_AT_ONCE))

    def read() -> None:
        while read_once() and select.select((stdin,), (), (), 0)[0]:
            pass  # what was asked meanwhile comes before work on a document

    def read_once() -> bool:
        """Whether a document may have come, and so more while it was handled."""
        try:
            n_received = stdin.readinto(room)
        except OSError:  # as at the end
            n_received = 0
        if n_received is None:  # another process reads the same pipe, and was faster
            return False
        had_large = False
        for body in deframer.feed(room[:n_received]):
            had_large |= not isinstance(body, FramingError) and len(body) > _N_AT_ONCE
            try:
                receive(server, body)
            except Exception as error:  # noqa: BLE001  # or what stands behind it were lost
                context = {"message": "a message could not be handled", "exception": error}
                loop.call_exception_handler(context)
        if n_received == 0:
            loop.remove_reader(stdin)
            server.lose_client()
        return had_large

    try:
        loop.add_reader(stdin, read)
    except (NotImplementedError, OSError):  # on Windows; of regular files
        return False
    return True


def _widen(pipe: BinaryIO) -> bool:
    """Has a pipe hold more, so that a document comes in fewer pieces; False if it cannot."""
    if sys.platform == "linux":
        import fcntl  # noqa: PLC0415  # not everywhere

        with contextlib.suppress(OSError):  # it is no pipe, or the user has too many
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _N_MOST)
            return True
    return False


def _read_pipe(stdin: BinaryIO, loop: asyncio.AbstractEventLoop, server: PtxServer) -> None:
    # In a thread, because not every system can wait for a pipe or a file in its event loop. The
    # thread is left in `read` when the process ends, so `stdin` has to be free of locks.
    deframer = Deframer()
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: the loop is closed
        while received := stdin.read(_N_AT_ONCE):
            for body in deframer.feed(received):
                loop.call_soon_threadsafe(receive, server, body)
                del body  # while the next one is waited for
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(server.lose_client)


class PipeWriter:
    """Writes without making the event loop wait for a client that is slow to read.

    `stdout` must be unbuffered: of a buffer, the thread would hold the lock while the process ends.
    """

    def __init__(self, stdout: BinaryIO, on_failure: Callable[[int], None]) -> None:
        self._stdout = stdout
        self._on_failure = on_failure
        self._waiting: queue.SimpleQueue[memoryview | None] = queue.SimpleQueue()
        self._n_queued = 0  # counted by who writes
        self._n_written = 0  # counted by the thread
        self._is_closed = False
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="ptx-ls stdout", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Writes, at once or later, in the order of the calls; nothing any more once closed."""
        if self._is_closed:
            return
        rest = memoryview(data)
        if self._n_written == self._n_queued and len(data) <= _N_AT_ONCE:
            while rest and _has_room(self._stdout):  # to wake the thread would take longer
                rest = rest[self._write(rest[:_N_BUFFERED]) :]
        if rest:
            self._n_queued += 1
            self._waiting.put(rest)

    def close(self) -> None:
        """Gives the client a moment to read what it was sent."""
        self._is_closed = True
        self._waiting.put(None)
        self._thread.join(_FAREWELL)
        if not self._thread.is_alive():
            with contextlib.suppress(OSError):  # as in `_write`
                self._stdout.close()

    def _run(self) -> None:
        while (rest := self._waiting.get()) is not None:
            while rest:
                rest = rest[self._write(rest) :]
            self._n_written += 1

    def _write(self, data: memoryview) -> int:
        """Writes what the pipe takes; returns how much that was, all if nobody reads any more."""
        try:
            return self._stdout.write(data)
        except OSError:  # the client is gone
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._on_failure, 1)
            return len(data)


def _has_room(pipe: BinaryIO) -> bool:
    """Whether a pipe takes a little without making its writer wait."""
    if sys.platform == "win32":  # cannot tell
        return False
    return bool(select.select((), (pipe,), (), 0)[1])


def receive(server: PtxServer, body: bytearray | FramingError) -> None:
    """Has a server handle a message, or answer what is none."""
    if isinstance(body, FramingError):
        server.protocol.refuse(None, JsonRpcParseError(str(body)))
    else:
        server.protocol.receive(body)


def announce(message: str) -> None:
    """Tells who started the server something."""
    print(f"ptx-ls: {message}", file=sys.stderr, flush=True)  # noqa: T201  # stdout is not touched


def take_stdio() -> tuple[FileIO, FileIO]:
    """Returns stdin and stdout for the protocol alone.

    From then on, what anything else prints goes to stderr, and nothing else can read stdin.
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
