"""Work on files that are not open: on a thread and in a process of its own it is the same."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.server.workspace import disk, file_work
from ptx_ls.server.workspace.file_jobs import Check, CheckSettings, Job, Symbols
from ptx_ls.server.workspace.file_work import FileWork
from ptx_ls.source.columns import ColumnUnit
from tests.server.client import Client
from tests.server.folder import enter, write

pytestmark = pytest.mark.slow

CORPUS = Path(__file__).parents[2] / "corpus"
BAD = ".entry k() { rat; }\n"
SETTINGS = CheckSettings(DEFAULT_RULES, 1000)


@pytest.fixture
async def work() -> AsyncIterator[FileWork]:
    """Work that goes to the other process from the first file on."""
    found = FileWork()
    yield found
    found.close()


@pytest.fixture(autouse=True)
def _in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_work, "_MIN_BYTES_FOR_PROCESS", 0)


def check(path: Path, previous_id: str | None = None) -> Check:
    return Check(str(path), ColumnUnit.UTF_16, SETTINGS, previous_id)


async def check_done(work: FileWork, job: Job[Any], *, aside: bool = True) -> Any:  # noqa: ANN401
    """Checks where a job is done, and returns what came of it."""
    found = await work.run(job)
    assert (work.process is not None) is aside
    return found


async def test_files_that_are_checked_in_a_row_are_checked_as_if_alone(work: FileWork) -> None:
    for path in sorted(CORPUS.glob("*/*.ptx"))[::9]:
        text = disk.read(str(path))
        found = await check_done(work, check(path))
        symbols = await check_done(work, Symbols(str(path), ColumnUnit.UTF_16))
        assert (found is None) is (symbols is None) is (text is None)
        if text is not None:
            expected = lint(Document.read(text))
            places = [(it.range.start, it.rule, it.message) for it in expected]
            shown = found[1].items[: len(expected)]
            assert [it["message"].partition("\n")[0] for it in shown] == [
                it[2].partition("\n")[0] for it in places
            ]
            assert sum(found[1].counts.values()) == len(expected)


async def test_what_is_known_is_not_sent_again(work: FileWork, tmp_path: Path) -> None:
    write(tmp_path, bad=BAD)
    path = tmp_path / "bad.ptx"
    _, first = await check_done(work, check(path))
    assert len(first.items) == 1
    _, again = await check_done(work, check(path, first.result_id))
    assert (again.result_id, again.items) == (first.result_id, None)


async def test_a_process_that_is_killed(work: FileWork, tmp_path: Path) -> None:
    write(tmp_path, bad=BAD)
    await check_done(work, check(tmp_path / "bad.ptx"))
    assert work.process is not None
    work.process.kill()
    _, found = await check_done(work, check(tmp_path / "bad.ptx"), aside=False)
    assert len(found.items) == 1


async def test_a_process_that_does_not_start(
    work: FileWork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, bad=BAD)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    _, found = await check_done(work, check(tmp_path / "bad.ptx"), aside=False)
    assert len(found.items) == 1


async def test_a_job_that_fails_says_so_and_the_next_one_is_done(
    work: FileWork, tmp_path: Path
) -> None:
    write(tmp_path, bad=BAD)
    wrong: Any = None
    with pytest.raises(AttributeError):
        await work.run(check(tmp_path / "bad.ptx")._replace(settings=wrong))
    _, found = await check_done(work, check(tmp_path / "bad.ptx"))
    assert len(found.items) == 1


async def test_a_job_that_is_given_up(work: FileWork, tmp_path: Path) -> None:
    many = "    mov.u32 %r1, %q2;\n" * 400_000
    write(tmp_path, bad=BAD, long=f".entry k()\n{{\n    .reg .b32 %r<9>;\n{many}    ret;\n}}\n")
    await check_done(work, check(tmp_path / "bad.ptx"))
    begin = time.perf_counter()
    whole = asyncio.ensure_future(work.run(check(tmp_path / "long.ptx")))
    await asyncio.sleep(0.1)
    whole.cancel()
    with pytest.raises(asyncio.CancelledError):
        await whole
    _, found = await check_done(work, check(tmp_path / "bad.ptx"))
    assert len(found.items) == 1
    assert time.perf_counter() - begin < 60


async def test_it_ends_when_there_is_nothing_to_do(
    work: FileWork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, bad=BAD)
    monkeypatch.setattr(file_work, "_SILENCE", 0.01)
    await check_done(work, check(tmp_path / "bad.ptx"))
    while work.process is not None:  # noqa: ASYNC110  # nothing signals the end
        await asyncio.sleep(0.01)
    await check_done(work, check(tmp_path / "bad.ptx"))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the children of a process")
def test_it_ends_with_the_server(tmp_path: Path) -> None:
    write(tmp_path, **{f"m{n}": BAD for n in range(60)})
    with Client() as client:
        enter(client, tmp_path, capabilities={"textDocument": {"diagnostic": {}}})
        found = client.request("workspace/diagnostic", {"previousResultIds": []})
        assert len(found["items"]) == 60
        tasks = Path(f"/proc/{client.process.pid}/task")
        children = " ".join(it.read_text() for it in tasks.glob("*/children")).split()
        assert len(children) == 1
        client.process.kill()
        while Path(f"/proc/{children[0]}/cmdline").exists() and _is_running(children[0]):
            time.sleep(0.01)


def _is_running(process: str) -> bool:
    try:
        os.kill(int(process), 0)
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
