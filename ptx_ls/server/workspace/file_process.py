"""Starts and uses the process that works on files, so that requests do not wait for the GIL.

A check of a large workspace keeps a thread busy for many seconds. In the process of the server,
each request would have to wait for the GIL several times, and garbage collections would stop both
threads. The other process has a low priority. It ends when its input does, such as when the server
is killed.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.server.workspace.file_jobs import Job

Result = TypeVar("Result")

_RUN: Final = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from ptx_ls.server.workspace.file_worker import main; main()"
)


class Order(NamedTuple):
    """A job and its number; without a job, an order to stop the job of that number."""

    number: int
    job: Job[Any] | None


class Answer(NamedTuple):
    """The result of a job, or the reason for its failure."""

    result: Any
    failure: str


class FileProcessError(Exception):
    """Raised if the process cannot be started, or has ended."""


class JobFailedError(Exception):
    """Raised if a job raised an exception."""


class FileProcess:
    """A process that does one job after another. Call `ask` on one thread only, `stop` on any.

    Raises:
        FileProcessError: if it cannot be started.
    """

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
        try:
            # It imports from the same directories as this process, and no others (-I).
            self._process = subprocess.Popen(  # noqa: S603  # no argument comes from the client
                [sys.executable, "-I", "-c", _RUN, *sys.path],
                stdin=pipe,
                stdout=pipe,
                creationflags=flags,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise FileProcessError(str(error)) from error
        assert self._process.stdin is not None  # noqa: S101  they are pipes
        assert self._process.stdout is not None  # noqa: S101
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._lock = threading.Lock()

    def ask(self, number: int, job: Job[Result]) -> Result:
        """Runs a job and returns its result.

        Raises:
            FileProcessError: if the process has ended.
            JobFailedError: if the job failed.
        """
        try:
            self._send(Order(number, job))
            answer: Answer = pickle.load(self._stdout)  # noqa: S301  # from our own process
        except EOFError as error:
            raise FileProcessError("the worker process for files has ended") from error
        except (OSError, ValueError, pickle.PickleError) as error:
            raise FileProcessError(str(error)) from error
        if answer.failure:
            raise JobFailedError(answer.failure)
        result: Result = answer.result
        return result

    def stop(self, number: int) -> None:
        """Ends a job early, if the process is doing it."""
        with suppress(OSError, ValueError):
            self._send(Order(number, None))

    def kill(self) -> None:
        """Ends the process; a pending `ask` then raises FileProcessError."""
        self._process.kill()

    def close(self) -> None:
        """Closes the pipes, and waits until the process, which is idle or was killed, has ended."""
        for stream in (self._stdin, self._stdout):
            with suppress(OSError):
                stream.close()
        self._process.wait()

    def _send(self, order: Order) -> None:
        with self._lock:
            send(self._stdin, order)


def send(stream: IO[bytes], value: object) -> None:
    """Writes a value to the other process."""
    stream.write(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
    stream.flush()
