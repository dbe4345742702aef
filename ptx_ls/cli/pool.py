"""Works on many files, in this process or in several, and yields the reports in order."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ptx_ls.cli.status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor, Future

    from ptx_ls.cli.inputs import Input

Report = TypeVar("Report")

LOST: Final = "a worker process died, perhaps because memory ran out; try `-j 1`"
"""The message about a file whose process ended too early."""
_MIN_BYTES_FOR_PROCESSES: Final = 2_000_000
"""Minimum number of bytes for which processes are started; for fewer, this one is faster."""
_MAX_PROCESSES: Final = 61
"""Maximum number of processes that Windows can wait for."""


def _unknown(_file: Input) -> None:
    """The `known` of a run that knows no reports."""


def _size(files: Sequence[Input]) -> int:
    return sum(file.size for file in files)


def default_jobs() -> int:
    """Returns the number of processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def running(
    files: Sequence[Input],
    work: Callable[[Input], Report],
    lost: Callable[[Input], Report],
    n_jobs: int,
    known: Callable[[Input], Report | None] = _unknown,
) -> Iterator[Iterator[Report]]:
    """Works on files, in processes that end with the context if several are worth it.

    Args:
        files: the files to work on.
        work: makes the report of a file, perhaps in another process.
        lost: makes the report of a file whose process died.
        n_jobs: maximum number of processes.
        known: returns the report of a file that needs no process, because it takes no time to
            make; else None.

    Yields:
        The report of each file, in order, each as soon as it and those before it are ready.
    """
    n_jobs = min(n_jobs, len(files), _MAX_PROCESSES)
    if n_jobs <= 1 or _size(files) < _MIN_BYTES_FOR_PROCESSES:
        yield (work(file) for file in files)
        return
    found = [(file, known(file)) for file in files]
    left = [file for file, report in found if report is None]
    is_small = len(left) <= 1 or _size(left) < _MIN_BYTES_FOR_PROCESSES
    started = None if is_small else _started(left, work, min(n_jobs, len(left)))
    if started is None:
        yield (report or work(file) for file, report in found)
        return
    executor, futures = started[0], iter(started[1])
    try:
        yield (report or _report(file, next(futures), lost) for file, report in found)
    except BaseException:
        _stop(executor)
        raise
    executor.shutdown()


def _started(
    files: Sequence[Input], work: Callable[[Input], Report], n_jobs: int
) -> tuple[Executor, list[Future[Report]]] | None:
    """Starts the processes; returns None if the system refuses further processes or pipes."""
    try:
        executor = _executor(n_jobs, work)
    except OSError:
        return None
    try:
        return executor, [executor.submit(_do, file) for file in files]
    except BaseException as error:
        _stop(executor)
        if isinstance(error, OSError):
            return None
        raise


def _executor(n_jobs: int, work: Callable[[Input], Report]) -> Executor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Forks share what is loaded. Except on Linux, forking is unsafe or impossible.
    method = "fork" if sys.platform == "linux" else "spawn"
    # Each process gets the work once: with a configuration for each folder, it is large.
    context = multiprocessing.get_context(method)
    return ProcessPoolExecutor(n_jobs, context, _start_worker, (work,))


def _report(file: Input, future: Future[Report], lost: Callable[[Input], Report]) -> Report:
    from concurrent.futures.process import BrokenProcessPool

    try:
        return future.result()
    except BrokenProcessPool:
        return lost(file)


def _stop(executor: Executor) -> None:
    """Terminates the workers, whose results are not needed and might take minutes."""
    import multiprocessing

    for process in multiprocessing.active_children():
        process.terminate()
    # Wait for the thread that manages them: Python's own exit would race with its end.
    executor.shutdown(wait=True, cancel_futures=True)


_work: Callable[[Input], Any]
"""The work of this process, if another one started it."""


def _do(file: Input) -> Any:  # noqa: ANN401  # the report of `_work`
    return _work(file)


def _start_worker(work: Callable[[Input], Any]) -> None:
    import signal
    import threading

    global _work  # noqa: PLW0603  # one per process
    _work = work
    # Ctrl-C goes to all processes of a terminal; the parent handles it, and ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    gc.disable()  # as in the process that started this one


def _die_with_parent() -> None:
    """Keeps a worker from waiting forever for a parent that was killed."""
    import multiprocessing
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(ExitStatus.TERMINATED)
