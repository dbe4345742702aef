"""Works on files that are not open, one after another, on a thread or in a process."""

from __future__ import annotations

import asyncio
import itertools
import logging
from concurrent.futures import CancelledError, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from ptx_ls.lint.shared_caches import SharedCaches
from ptx_ls.server.scheduling import background
from ptx_ls.server.workspace import disk
from ptx_ls.server.workspace.file_process import FileProcess, FileProcessError, JobFailedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.server.workspace.file_jobs import Job

_log = logging.getLogger(__name__)
Result = TypeVar("Result")

_MIN_BYTES_FOR_PROCESS: Final = 400_000
"""Total size of files, in bytes, above which a process does the work; below, a thread is faster."""
_BYTES_PER_FILE: Final = 10_000
"""The cost of any file in addition to its size, in bytes."""
_SILENCE: Final = 20.0
"""Seconds without a job after which the process ends, and shared caches are dropped."""


class FileWork:
    """Runs jobs in the order of the calls. Use it on the event loop only.

    Attributes:
        process: the process that runs the jobs, while there are too many for a thread.
    """

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "ptx-ls files")
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False
        self.process: FileProcess | None = None
        self._numbers = itertools.count(1)
        # Used by the thread only:
        self._caches = SharedCaches()
        self._n_bytes = 0
        self._can_start = True

    async def run(self, job: Job[Result]) -> Result:
        """Runs a job, and returns its result; ends it if the awaiting task is cancelled."""
        self._rest_after(None)
        number = next(self._numbers)
        try:
            return await background.run(self._executor, partial(self._do, number, job))
        except asyncio.CancelledError:
            if self.process is not None:
                self.process.stop(number)
            raise
        finally:
            self._rest_after(_SILENCE)

    def close(self) -> None:
        """Stops all work."""
        self._is_closed = True
        self._rest_after(None)
        self._executor.shutdown(wait=False, cancel_futures=True)
        if self.process is not None:
            self.process.kill()
            self.process.close()

    def _rest_after(self, seconds: float | None) -> None:
        """Ends the process and drops the caches after `seconds` without a job; with None, never."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None and not self._is_closed:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(seconds, self._executor.submit, self._rest)

    # On the thread

    def _rest(self) -> None:
        self._caches, self._n_bytes = SharedCaches(), 0
        process, self.process = self.process, None
        if process is not None:
            process.close()

    def _do(self, number: int, job: Job[Result], should_stop: Callable[[], bool]) -> Result:
        stamp = disk.stamp_of(job.path)
        self._n_bytes += _BYTES_PER_FILE + (stamp[0] if stamp is not None else 0)
        if self._can_start and self._n_bytes > _MIN_BYTES_FOR_PROCESS:
            try:
                return self._do_aside(number, job, should_stop)
            except JobFailedError:
                pass  # it will fail here as well, where the reason can be reported
            except FileProcessError as error:
                self._rest()
                if self._is_closed:
                    raise
                _log.warning("the file process failed, so a thread checks the files: %s", error)
                self._can_start = False
        if should_stop() or self._is_closed:
            raise CancelledError
        return job.run(self._caches, should_stop)

    def _do_aside(self, number: int, job: Job[Result], should_stop: Callable[[], bool]) -> Result:
        if self.process is None:
            self.process = FileProcess()
        # If `cancel` or `close` is called after these checks, it finds `self.process` and stops it.
        if self._is_closed:
            self.process.kill()
        if should_stop():
            raise CancelledError
        return self.process.ask(number, job)
