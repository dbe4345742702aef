"""Works on files on a Dask cluster, and yields the reports in order.

The client reads the files and sends their content, so the workers need no access to its disk. Only
some batches are on their way at a time: a run over millions of files takes little memory.
"""

from __future__ import annotations

import logging
import pickle
from collections import deque
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ptx_ls import __version__
from ptx_ls.cli import console, inputs
from ptx_ls.cli.arguments import UsageError
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from distributed import Client, Future

    from ptx_ls.cli.inputs import Input

Report = TypeVar("Report")

HOW_TO_INSTALL: Final = "--scheduler needs Dask: pip install 'ptx-ls[dask]'"
NO_WORKERS: Final = "the cluster has no workers yet; waiting for the first one"
_MAX_BATCH_BYTES: Final = 2_000_000
"""Number of bytes after which a batch gets no further file."""
_MAX_BATCH_FILES: Final = 256
_MIN_BATCHES: Final = 8
"""Number of batches that are on their way at least, while there are files left."""
_BATCHES_PER_THREAD: Final = 2
"""Batches that are on their way for each thread of the cluster, so that none waits for work."""
_SECONDS_TO_CONNECT: Final = 10
_SECONDS_BETWEEN_LOOKS: Final = 5
"""Time to wait for a result before looking whether the cluster has any worker."""


class ClusterError(UsageError):
    """The cluster cannot do the work; the message says why, in one line."""


class _Batch(NamedTuple):
    """Files, or the report of one that was not sent, and the task that works on them."""

    files: tuple[Input, ...]
    task: Future[Any] | None
    report: Any = None


@contextmanager
def running(
    files: Sequence[Input],
    work: Callable[[Input], Report],
    lost: Callable[[Input], Report],
    address: str,
) -> Iterator[Iterator[Report]]:
    """Works on files on a cluster; the arguments are as for `pool.running`.

    Args:
        files: the files to work on.
        work: makes the report of a file; is sent to the workers.
        lost: makes the report of a file that ended each worker that worked on it.
        address: of the scheduler, such as `tcp://127.0.0.1:8786`.

    Yields:
        The report of each file, in order, each as soon as it and those before it are ready.

    Raises:
        ClusterError: if Dask is missing, or the cluster cannot be reached or does not answer.
    """
    client = _connected(address)
    try:
        yield _Run(client, work, lost).reports(files)
    finally:
        client.close()  # also cancels what is still on its way


def _connected(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(HOW_TO_INSTALL) from None
    for name in ("distributed", "distributed.client"):  # it logs what is in our errors, at length
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        return Client(address, timeout=_SECONDS_TO_CONNECT, name="ptx-ls")
    except (OSError, ValueError, TypeError) as error:
        shown = console.escaped(address)
        reason = console.escaped(str(error).partition("\n")[0])
        raise ClusterError(f"--scheduler: cannot connect to `{shown}`: {reason}") from None


class _Run:
    """One run of a client."""

    def __init__(
        self,
        client: Client,
        work: Callable[[Input], Any],
        lost: Callable[[Input], Any],
    ) -> None:
        self._client, self._work, self._lost = client, work, lost
        self._has_waited = False

    def reports(self, files: Sequence[Input]) -> Iterator[Any]:
        """Yields the report of each file in order.

        Raises:
            ClusterError: if the cluster fails.
        """
        try:
            yield from self._in_order(files)
        except ClusterError:
            raise
        except Exception as error:  # noqa: BLE001  # of the network, of Dask, or of a worker
            reason = console.escaped(f"{type(error).__name__}: {error}".partition("\n")[0])
            if self._client.status != "running":
                reason = "the connection to the scheduler was lost"
            raise ClusterError(f"the cluster failed: {reason}") from None

    def _in_order(self, files: Sequence[Input]) -> Iterator[Any]:
        batches, waiting = self._batches(files), deque[_Batch]()
        while True:
            for batch in batches:
                waiting.append(batch)
                if len(waiting) >= self._most_batches():
                    break
            if not waiting:
                return
            yield from self._results(waiting.popleft())

    def _most_batches(self) -> int:
        return max(_MIN_BATCHES, _BATCHES_PER_THREAD * self._n_threads())

    def _n_threads(self) -> int:
        return sum(self._client.nthreads().values())

    def _batches(self, files: Sequence[Input]) -> Iterator[_Batch]:
        """Reads files, and starts a task for some at a time."""
        batch: list[Input] = []
        n_bytes = 0
        for file in files:
            try:
                content = inputs.read(file)
            except OSError:
                if batch:
                    yield self._started(tuple(batch))
                batch, n_bytes = [], 0
                yield _Batch((file,), None, self._work(file))  # says why it cannot be read
                continue
            batch.append(file._replace(content=content, size=len(content)))
            n_bytes += len(content)
            if n_bytes >= _MAX_BATCH_BYTES or len(batch) >= _MAX_BATCH_FILES:
                yield self._started(tuple(batch))
                batch, n_bytes = [], 0
        if batch:
            yield self._started(tuple(batch))

    def _started(self, files: tuple[Input, ...]) -> _Batch:
        # Pickled here, so that a worker can compare the versions before it reads anything.
        payload = pickle.dumps((self._work, files))
        return _Batch(files, self._client.submit(do, __version__, payload, pure=False))

    def _results(self, batch: _Batch) -> Iterator[Any]:
        """Yields the reports of a batch; its files are sent one by one if they end their worker."""
        if batch.task is None:
            yield batch.report
            return
        from distributed.scheduler import KilledWorker

        while not self._is_done(batch.task):
            self._say_if_idle()
        try:
            reports = batch.task.result()
        except KilledWorker:
            if len(batch.files) == 1:
                yield self._lost(batch.files[0])
                return
            for file in batch.files:
                yield from self._results(self._started((file,)))
            return
        yield from reports

    def _is_done(self, task: Future[Any]) -> bool:
        """Waits for a task for some seconds; returns whether it has ended."""
        from distributed import TimeoutError as NotYetError
        from distributed import wait

        with suppress(NotYetError):
            wait(task, timeout=_SECONDS_BETWEEN_LOOKS)
        return bool(task.done())

    def _say_if_idle(self) -> None:
        """Says once that the cluster has no worker: one may still start."""
        if not self._has_waited and self._client.status == "running" and not self._n_threads():
            self._has_waited = True
            console.complain(NO_WORKERS)


_WORKING: Final = Lock()
"""Held while this process works on a batch: what it keeps from file to file is for one thread."""


def do(version: str, payload: bytes) -> list[Any]:
    """Works on a batch of files, in a worker.

    Args:
        version: that of ptx-ls in the client.
        payload: the pickled work and files.

    Returns:
        The reports of the files.

    Raises:
        ClusterError: if this worker has another version.
    """
    if version != __version__:
        raise ClusterError(
            f"a worker runs ptx-ls {__version__}, but this machine runs {version}; "
            "install the same version everywhere"
        )
    work, files = pickle.loads(payload)  # noqa: S301  # from the client, which may run any code
    with _WORKING:
        return [work(file) for file in files]
