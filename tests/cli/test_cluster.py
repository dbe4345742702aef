"""Work on a Dask cluster: workers are real processes on this machine."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dask
import pytest
from distributed import LocalCluster, Nanny

from ptx_ls.cli import cluster
from ptx_ls.cli.inputs import Input
from ptx_ls.cli.main import main
from tests.support import cluster_work

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

CORPUS = Path(__file__).parents[1] / "corpus"


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalCluster]:
    # A worker that a file ends starts again, which takes long on a busy machine: no test waits for
    # that, because a file that ends one worker is not tried again, and there are others.
    config = {"distributed.scheduler.allowed-failures": 0}
    with (
        dask.config.set(config),
        LocalCluster(
            n_workers=4,
            threads_per_worker=1,
            processes=True,
            dashboard_address="",
            worker_dashboard_address="",
        ) as found,
    ):
        yield found


@contextmanager
def scheduler_without_workers() -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Runs a scheduler in a process of its own; yields its address, and the process."""
    code = (
        "import asyncio, distributed\n"
        "async def run():\n"
        "    async with distributed.Scheduler(port=0, dashboard=False) as it:\n"
        "        print(it.address, flush=True)\n"
        "        await it.finished()\n"
        "asyncio.run(run())\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process
        process.kill()


def inputs_of(texts: list[str]) -> list[Input]:
    return [Input(f"{number}", len(it), it.encode()) for number, it in enumerate(texts)]


def check_reports(workers: LocalCluster, texts: list[str]) -> None:
    files = inputs_of(texts)
    work, lost = cluster_work.shout, cluster_work.lost
    expected = [lost(it) if it.content == b"poison" else work(it) for it in files]
    with cluster.running(files, work, lost, workers.scheduler_address) as reports:
        assert list(reports) == expected


def check_failure(workers: LocalCluster, texts: list[str], message: str) -> None:
    files = inputs_of(texts)
    work, lost = cluster_work.shout, cluster_work.lost
    with (
        pytest.raises(cluster.ClusterError, match=message),
        cluster.running(files, work, lost, workers.scheduler_address) as reports,
    ):
        list(reports)


def check_lint(
    workers: LocalCluster, capfd: pytest.CaptureFixture[str], *arguments: str
) -> tuple[str, str]:
    """Compares a run on a cluster with one on this machine, and returns what both print."""
    status = main(["lint", *arguments])
    expected = capfd.readouterr()
    assert main(["lint", "--scheduler", workers.scheduler_address, *arguments]) == status
    printed = capfd.readouterr()
    assert printed == expected
    return printed.out, printed.err


def test_the_reports_of_a_corpus(workers: LocalCluster, capfd: pytest.CaptureFixture[str]) -> None:
    out, _ = check_lint(workers, capfd, str(CORPUS), "/missing.ptx")
    assert out.count("\n") > 1000


def test_a_report_for_a_tool(workers: LocalCluster, capfd: pytest.CaptureFixture[str]) -> None:
    out, _ = check_lint(workers, capfd, "--output-format", "sarif", str(CORPUS / "rejected"))
    assert '"runs"' in out


def test_more_batches_than_are_on_their_way(workers: LocalCluster) -> None:
    check_reports(workers, ["text"] * 5000)


def test_no_files(workers: LocalCluster) -> None:
    check_reports(workers, [])


def test_only_the_file_that_ends_its_workers_is_lost(workers: LocalCluster) -> None:
    check_reports(workers, ["one", "poison", "three"])


def test_a_worker_is_killed_midway(workers: LocalCluster) -> None:
    files = inputs_of(["text"] * 4000)
    run = cluster.running(files, cluster_work.shout, cluster_work.lost, workers.scheduler_address)
    with run as reports:
        found = [next(reports)]
        worker = next(it for it in workers.workers.values() if isinstance(it, Nanny))
        pid = worker.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        found += reports
    assert found == [*map(cluster_work.shout, files)]


def test_work_that_raises(workers: LocalCluster) -> None:
    check_failure(workers, ["fault"], "the cluster failed: ZeroDivisionError: no report")


def test_another_version(workers: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "__version__", "9.9")
    wanted = "but this machine runs 9.9; install the same version everywhere"
    check_failure(workers, ["text"], wanted)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "127.0.0.1", "nonsense://x", ""])
def test_no_scheduler(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_SECONDS_TO_CONNECT", 1)
    assert main(["lint", "--scheduler", address, str(CORPUS / "rejected")]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(f"ptx-ls: --scheduler: cannot connect to `{address}`: ")
    assert (printed.out, printed.err.count("\n")) == ("", 1)


def test_the_scheduler_ends_midway(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_SECONDS_BETWEEN_LOOKS", 0.1)
    config = {"distributed.comm.timeouts.connect": "1s"}
    with dask.config.set(config), scheduler_without_workers() as (address, process):
        run = cluster.running(inputs_of(["text"]), cluster_work.shout, cluster_work.lost, address)
        with run as reports:
            process.kill()
            process.wait()
            with pytest.raises(cluster.ClusterError, match="connection to the scheduler was lost"):
                next(reports)
    assert capsys.readouterr().err in ("", f"ptx-ls: {cluster.NO_WORKERS}\n")


def test_files_are_not_fixed_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--scheduler", "tcp://127.0.0.1:1", "--fix", "."]) == 2
    assert "--scheduler" in capsys.readouterr().err


def test_dask_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["lint", "--scheduler", "tcp://127.0.0.1:1", str(CORPUS / "rejected")]) == 2
    assert capsys.readouterr().err == f"ptx-ls: {cluster.HOW_TO_INSTALL}\n"
