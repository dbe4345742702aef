"""A session on stdin and stdout; `network` has TCP and WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import select
import sys
import threading
from collections.abc import Callable, Iterator
from io import FileIO
from typing import TYPE_CHECKING, BinaryIO

from ptx_ls.server.protocol.back_pressure import FEW_UNSENT, MAX_UNSENT, BackPressure
from ptx_ls.server.protocol.framing import Deframer, FramingError

if TYPE_CHECKING:
    from ptx_ls.server.protocol.connection import Connection

Start = Callable[[Callable[[int], None]], "Connection"]
"""Starts a session; takes the function to call with an exit code when the session ends."""

_N_AT_ONCE = 1 << 16
_N_MOST = 1 << 20  # the most that Linux lets a pipe hold
_N_BUFFERED = 4096  # a pipe that has any room has room for this much
_FAREWELL = 2.0  # seconds
_HANG_UP_INTERVAL = 1.0  # seconds between two checks of a client that does not read


async def serve_stdio(start: Start, stdin: FileIO, stdout: BinaryIO) -> int:
    """Serves one client until it leaves; returns the exit code. Both streams must be unbuffered."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def end(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    connection = start(end)
    writer = PipeWriter(stdout, end, connection.pressure)
    connection.set_writer(writer)
    reader = _LoopReader(stdin, connection)
    is_in_loop = reader.start()
    if not is_in_loop:
        threading.Thread(
            target=_read_pipe, args=(stdin, loop, connection), name="ptx-ls stdin", daemon=True
        ).start()
    try:
        return await ended
    finally:
        if is_in_loop:
            reader.stop()
        connection.close()
        writer.close()


class _LoopReader:
    """Reads stdin in the event loop, as soon as input arrives.

    Waking a thread that then wakes the loop takes longer than most answers.
    """

    def __init__(self, stdin: FileIO, connection: Connection) -> None:
        self._stdin, self._connection = stdin, connection
        self._loop = asyncio.get_running_loop()
        self._deframer = Deframer()
        self._room = memoryview(bytearray(_N_MOST if _widen(stdin) else _N_AT_ONCE))
        self._bodies: Iterator[bytearray | FramingError] = iter(())
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> bool:
        """Begins to read; False where the loop cannot wait for this kind of file."""
        try:
            self._loop.add_reader(self._stdin, self._read)
        except (NotImplementedError, OSError):  # on Windows, or for regular files
            return False
        self._connection.pressure.when_released(self._go_on)
        return True

    def stop(self) -> None:
        """Stops reading."""
        self._loop.remove_reader(self._stdin)
        if self._timer is not None:
            self._timer.cancel()

    def _read(self) -> None:
        while self._read_once() and select.select((self._stdin,), (), (), 0)[0]:
            pass  # new requests come before work on a document

    def _read_once(self) -> bool:
        """Reads once; returns whether a document, and so more meanwhile, may have come."""
        try:
            n_received = self._stdin.readinto(self._room)
        except OSError:  # as at the end
            n_received = 0
        if n_received is None:  # another process that reads the same pipe was faster
            return False
        self._bodies = self._deframer.feed(self._room[:n_received])
        had_large = self._handle()
        if n_received == 0:
            self._loop.remove_reader(self._stdin)
            self._connection.lose_client()
        return had_large and not self._connection.pressure.is_held

    def _handle(self) -> bool:
        """Handles the messages that came, until work is held; returns whether one was large."""
        had_large = False
        for body in self._bodies:
            had_large |= not isinstance(body, FramingError) and len(body) > _N_AT_ONCE
            try:
                self._connection.receive(body)
            except Exception as error:  # noqa: BLE001  # else the messages after it would be lost
                context = {"message": "a message could not be handled", "exception": error}
                self._loop.call_exception_handler(context)
            if self._connection.pressure.is_held:
                self._loop.remove_reader(self._stdin)
                self._watch()
                break
        return had_large

    def _go_on(self) -> None:
        """Handles the remaining messages, and reads on."""
        if self._timer is None:  # work was held while nothing was read
            return
        self._timer.cancel()
        self._timer = None
        self._handle()
        if not self._connection.pressure.is_held:
            self._loop.add_reader(self._stdin, self._read)

    def _watch(self) -> None:
        """Checks now and then whether the client is gone, which else only reading would show."""
        if _is_hung_up(self._stdin):
            self._connection.lose_client()
        else:
            self._timer = self._loop.call_later(_HANG_UP_INTERVAL, self._watch)


def _is_hung_up(pipe: BinaryIO) -> bool:
    """Whether the other end of a pipe is closed, though there may be data left to read."""
    if not hasattr(select, "poll"):  # on Windows, where no loop reads a pipe
        return False
    poll = select.poll()
    poll.register(pipe, 0)  # hang-ups are reported even if no event is asked for
    return bool(poll.poll(0))


def _widen(pipe: BinaryIO) -> bool:
    """Enlarges a pipe, so that a document comes in fewer pieces; False if it cannot."""
    if sys.platform == "linux":
        import fcntl  # noqa: PLC0415  # not on every system

        with contextlib.suppress(OSError):  # it is not a pipe, or the user has too many
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _N_MOST)
            return True
    return False


def _read_pipe(stdin: BinaryIO, loop: asyncio.AbstractEventLoop, connection: Connection) -> None:
    # Runs in a thread, because not every event loop can wait for a pipe or a file. The
    # thread is left in `read` when the process ends, so `stdin` has to be free of locks.
    deframer = Deframer()
    may_read = threading.Event()

    async def wait() -> None:
        await connection.pressure.room()
        may_read.set()

    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: the loop is closed
        while received := stdin.read(_N_AT_ONCE):
            for body in deframer.feed(received):
                loop.call_soon_threadsafe(connection.receive, body)
                del body  # while waiting for the next one
            may_read.clear()
            asyncio.run_coroutine_threadsafe(wait(), loop)
            may_read.wait()
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(connection.lose_client)


class PipeWriter:
    """Writes without making the event loop wait for a slow client.

    `stdout` must be unbuffered: the thread would hold a buffer's lock while the process ends.
    `pressure` is held while a client that does not read leaves too much to be written.
    """

    def __init__(
        self, stdout: BinaryIO, on_failure: Callable[[int], None], pressure: BackPressure
    ) -> None:
        self._stdout = stdout
        self._on_failure = on_failure
        self._pressure = pressure
        self._waiting: queue.SimpleQueue[memoryview | None] = queue.SimpleQueue()
        self._n_queued = 0  # bytes, counted by the caller of `write`
        self._n_written = 0  # bytes, counted by the thread
        self._is_held = False  # changed by the caller of `write`
        self._is_closed = False
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="ptx-ls stdout", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Writes, now or later, in the order of the calls; drops everything once closed."""
        if self._is_closed:
            return
        rest = memoryview(data)
        if self._n_written == self._n_queued and len(data) <= _N_AT_ONCE:
            while rest and _has_room(self._stdout):  # faster than waking the thread
                rest = rest[self._write(rest[:_N_BUFFERED]) :]
        if rest:
            self._n_queued += len(rest)
            if not self._is_held and self._n_queued - self._n_written > MAX_UNSENT:
                self._pressure.hold()
                self._is_held = True  # before the thread, which looks after that, has data
            self._waiting.put(rest)

    def close(self) -> None:
        """Gives the client a moment to read what was sent."""
        self._is_closed = True
        self._waiting.put(None)
        self._thread.join(_FAREWELL)
        if not self._thread.is_alive():
            with contextlib.suppress(OSError):  # as in `_write`
                self._stdout.close()

    def _run(self) -> None:
        while (rest := self._waiting.get()) is not None:
            while rest:
                n_written = self._write(rest)
                rest = rest[n_written:]
                self._n_written += n_written
            if self._is_held and self._is_nearly_empty():  # only after whole messages
                with contextlib.suppress(RuntimeError):  # the loop is closed
                    self._loop.call_soon_threadsafe(self._release)

    def _is_nearly_empty(self) -> bool:
        return self._n_queued - self._n_written <= FEW_UNSENT

    def _release(self) -> None:
        if self._is_held and self._is_nearly_empty():  # more may have been queued meanwhile
            self._is_held = False
            self._pressure.release()

    def _write(self, data: memoryview) -> int:
        """Writes what the pipe accepts; returns how many bytes, all if there is no reader left."""
        try:
            return self._stdout.write(data)
        except OSError:  # the client is gone
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._on_failure, 1)
            return len(data)


def _has_room(pipe: BinaryIO) -> bool:
    """Whether a pipe accepts a little without making its writer wait."""
    if sys.platform == "win32":  # not known there
        return False
    return bool(select.select((), (pipe,), (), 0)[1])


def announce(message: str) -> None:
    """Shows a message to the user who started the server."""
    print(f"ptx-ls: {message}", file=sys.stderr, flush=True)  # noqa: T201  # stdout is not touched


def take_stdio() -> tuple[FileIO, FileIO]:
    """Returns stdin and stdout for the protocol alone.

    From then on, all other output goes to stderr, and nothing else can read stdin.
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
