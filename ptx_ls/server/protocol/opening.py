"""Answers `initialize` while the rest of the server is loaded.

An editor does not use a server before that answer, and loading takes ten times as long.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from ptx_ls.server.protocol.framing import Deframer, FramingError
from ptx_ls.server.protocol.pipes import N_READ, write_now

if TYPE_CHECKING:
    from typing import BinaryIO

Answer = Callable[[bytearray], "bytes | None"]
"""Returns the answer to the first message, or None if only the loaded server can answer it."""


class Opening:
    """Reads the first messages of a client on a thread, and answers the first one if possible.

    Attributes, once the thread has ended:
        deframer: contains the start of a message that is not complete.
        answered: the message that has been answered, or None.
        messages: the messages that were read, in order, without that one.
        unsent: the part of the answer for which the pipe had no room.
    """

    def __init__(self, stdin: BinaryIO, stdout: BinaryIO, answer: Answer) -> None:
        """Starts reading; both streams must be unbuffered."""
        self._stdin, self._stdout, self._answer = stdin, stdout, answer
        self.deframer = Deframer()
        self.answered: bytearray | None = None
        self.messages: deque[bytearray | FramingError] = deque()
        self.unsent = memoryview(b"")
        # The thread may be in `read` when the process ends, so it is a daemon.
        self._thread = threading.Thread(target=self._run, name="ptx-ls opening", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Waits until a first message has been read, or the input has ended."""
        self._thread.join()

    def _run(self) -> None:
        with contextlib.suppress(OSError):  # the server will see it, too
            while not self.messages and (received := self._stdin.read(N_READ)):
                self.messages.extend(self.deframer.feed(received))
        first = self.messages[0] if self.messages else None
        if first is None or isinstance(first, FramingError):
            return
        answer = self._answer(first)
        if answer is not None:
            self.answered = first
            del self.messages[0]
            self.unsent = memoryview(answer)
            with contextlib.suppress(OSError):  # the client is gone, which a later attempt shows
                self.unsent = write_now(self._stdout, self.unsent)
