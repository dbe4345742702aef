"""The main program of the process that works on files that are not open; see `file_process.py`."""

from __future__ import annotations

import gc
import logging
import os
import pickle
import queue
import sys
import threading
import traceback
from typing import IO, TYPE_CHECKING, Any, Final

from ptx_ls.lint.shared_caches import SharedCaches
from ptx_ls.server.workspace.file_process import Answer, Order, send

if TYPE_CHECKING:
    from ptx_ls.server.workspace.file_jobs import Job

_NICENESS: Final = 10
_OBJECTS_BEFORE_COLLECTION: Final = 500_000
"""Number of new objects after which garbage is collected, between two files."""


def main() -> None:
    """Runs the jobs that arrive on stdin, and ends when the server does."""
    gc.freeze()
    gc.disable()
    if sys.platform != "win32":  # on Windows, the process was started with a low priority
        os.nice(_NICENESS)
    logging.basicConfig(format="ptx-ls: %(levelname)s: %(message)s", level=logging.WARNING)
    jobs: queue.SimpleQueue[Order] = queue.SimpleQueue()
    stopped: set[int] = set()
    listening = threading.Thread(
        target=_listen, args=(sys.stdin.buffer, jobs, stopped), name="ptx-ls orders", daemon=True
    )
    listening.start()
    caches = SharedCaches()
    while True:
        number, job = jobs.get()
        assert job is not None  # noqa: S101  for mypy
        send(sys.stdout.buffer, _done(job, caches, number, stopped))
        del job
        if gc.get_count()[0] > _OBJECTS_BEFORE_COLLECTION:
            gc.collect()


def _done(job: Job[Any], caches: SharedCaches, number: int, stopped: set[int]) -> Answer:
    try:
        return Answer(job.run(caches, lambda: number in stopped), "")
    except Exception:  # noqa: BLE001  # the server reports it
        return Answer(None, traceback.format_exc())


def _listen(stdin: IO[bytes], jobs: queue.SimpleQueue[Order], stopped: set[int]) -> None:
    """Reads orders while a job runs. An order without a job stops the job of its number."""
    try:
        while True:
            order: Order = pickle.load(stdin)  # noqa: S301  # from our own server
            if order.job is None:
                stopped.add(order.number)
            else:
                jobs.put(order)
    except (OSError, EOFError, pickle.UnpicklingError):
        pass
    finally:
        os._exit(0)  # even during a job: its result is no longer needed
