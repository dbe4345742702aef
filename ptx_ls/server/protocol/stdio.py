"""Serves one client on stdin and stdout; `network.py` does so on TCP and WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

from ptx_ls.server.protocol.back_pressure import MAX_UNSENT, MAX_UNSENT_TO_RESUME, BackPressure
from ptx_ls.server.protocol.pipes import N_READ, write_now

if TYPE_CHECKING:
    from ptx_ls.server.protocol.connection import Connection
    from ptx_ls.server.protocol.framing import FramingError
    from ptx_ls.server.protocol.opening import Opening

Start = Callable[[Callable[[int], None]], "Connection"]
"""Starts a session; the argument is called with an exit code when the session ends."""

_MAX_CLOSING_TIME = 2.0  # seconds


async def serve_stdio(start: Start, stdin: BinaryIO, stdout: BinaryIO, opening: Opening) -> int:
    """Serves one client until it leaves; returns the exit code. Both streams must be unbuffered."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def end(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    connection = start(end)
    writer = PipeWriter(stdout, end, connection.pressure)

    def begin() -> None:
        if opening.answered is not None:
            connection.receive(opening.answered)  # without a writer, so that no answer is sent
            writer.write(opening.unsent)
        connection.sender.set_writer(writer)

    arguments = stdin, loop, connection, opening, begin
    threading.Thread(target=_read, args=arguments, name="ptx-ls stdin", daemon=True).start()
    try:
        return await ended
    finally:
        connection.close()
        writer.close()


def _read(
    stdin: BinaryIO,
    loop: asyncio.AbstractEventLoop,
    connection: Connection,
    opening: Opening,
    begin: Callable[[], None],
) -> None:
    """Passes the messages of the client to the event loop, and waits until they are handled.

    Runs on a thread, because not every event loop can wait for a pipe or a file. The thread may be
    in `read` when the process ends, so `stdin` must not be buffered, as a buffer has a lock.
    """
    deframer = opening.deframer
    may_read = threading.Event()
    connection.pressure.when_released(may_read.set)

    def receive(bodies: deque[bytearray | FramingError]) -> None:
        # All at once, so that a cancellation is seen before the work that it cancels begins.
        while bodies:
            connection.receive(bodies.popleft())

    def go_on() -> None:
        if not connection.pressure.is_held:
            may_read.set()

    def handle(bodies: deque[bytearray | FramingError]) -> None:
        may_read.clear()
        loop.call_soon_threadsafe(receive, bodies)
        loop.call_soon_threadsafe(go_on)
        may_read.wait()

    opening.wait()
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: the loop is closed
        loop.call_soon_threadsafe(begin)
        handle(opening.messages)
        while received := stdin.read(N_READ):
            handle(deque(deframer.feed(received)))
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(connection.lifecycle.exit)


class PipeWriter:
    """Writes to a pipe without making the event loop wait for a slow client.

    `stdout` must be unbuffered, as the thread would hold the lock of a buffer while the process
    ends. Holds `pressure` while there is too much unsent output.
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

    def write(self, data: bytes | memoryview) -> None:
        """Writes, now or later, in the order of the calls; drops the data once closed."""
        if self._is_closed:
            return
        rest = memoryview(data)
        if self._n_written == self._n_queued and len(data) <= N_READ:
            rest = self._write_now(rest)  # faster than waking the thread
        if rest:
            self._n_queued += len(rest)
            if not self._is_held and self._n_queued - self._n_written > MAX_UNSENT:
                self._pressure.hold()
                self._is_held = True  # before the thread, which reads it, gets the data
            self._waiting.put(rest)

    def close(self) -> None:
        """Closes the pipe, after the client had some time to read all output."""
        self._is_closed = True
        self._waiting.put(None)
        self._thread.join(_MAX_CLOSING_TIME)
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
        return self._n_queued - self._n_written <= MAX_UNSENT_TO_RESUME

    def _release(self) -> None:
        if self._is_held and self._is_nearly_empty():  # more may have been queued since
            self._is_held = False
            self._pressure.release()

    def _write_now(self, data: memoryview) -> memoryview:
        """Writes what the pipe accepts without blocking; returns the rest, none if it is closed."""
        try:
            return write_now(self._stdout, data)
        except OSError:
            self._fail()
            return data[:0]

    def _write(self, data: memoryview) -> int:
        """Writes as much as the pipe accepts; returns the number of bytes, all if it is closed."""
        try:
            return self._stdout.write(data)
        except OSError:
            self._fail()
            return len(data)

    def _fail(self) -> None:
        """Reports that the client is gone."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._on_failure, 1)
