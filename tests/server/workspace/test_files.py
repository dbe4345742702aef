"""Reading the files of the workspace, without a client."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ptx_ls.lint.shared_caches import SharedCaches
from ptx_ls.server.client_state.progress import WorkDoneProgress
from ptx_ls.server.session import Session
from ptx_ls.server.workspace import files as workspace_files
from ptx_ls.server.workspace import index
from ptx_ls.server.workspace.directories import News
from ptx_ls.server.workspace.file_work import FileWork
from ptx_ls.server.workspace.files import WorkspaceFiles
from ptx_ls.server.workspace.index import IndexedFile
from ptx_ls.source import uris
from ptx_ls.source.columns import ColumnUnit
from tests.server.client import Client
from tests.server.folder import enter, write

pytestmark = pytest.mark.slow


class Bars:
    """Work that is stopped after some reports."""

    def __init__(self, n_reports: int) -> None:
        self.n_left = n_reports
        self.running: dict[int | str, WorkDoneProgress] = {}

    def start(self, title: str) -> Any:  # noqa: ANN401
        progress = SimpleNamespace(title=title, is_cancelled=False, end=lambda: None)

        def report(_n_done: int, _n_all: int) -> None:
            self.n_left -= 1
            progress.is_cancelled = self.n_left <= 0

        progress.report = report
        return progress


Work = Callable[[Callable[[], bool]], Any]


async def run_at_once(work: Work) -> Any:  # noqa: ANN401
    return work(lambda: False)


def files_of(
    *folders: Path,
    n_reports: int = 1_000_000,
    run: Callable[[Work], Awaitable[Any]] = run_at_once,
) -> WorkspaceFiles:
    session = SimpleNamespace(
        folders=list(map(str, folders)),
        unit=ColumnUnit.UTF_16,
        progress=Bars(n_reports),
        run=run,
        file_work=FileWork(),
        is_told_of_files=True,
    )
    files = WorkspaceFiles(cast(Session, session))
    files.set_folders()
    return files


async def check_files(files: WorkspaceFiles, *expected: Path) -> None:
    """Checks which files are known."""
    assert await files.ready(60)
    assert sorted(file.path for file in files.index) == sorted(map(str, expected))


async def test_the_user_may_stop_it(tmp_path: Path) -> None:
    write(tmp_path, **{f"m{n}": ".entry k() { ret; }\n" for n in range(100)})
    files = files_of(tmp_path, n_reports=2)
    assert await files.ready(60)
    assert 0 < len(files.index) < 100
    files.told([uris.from_path(str(tmp_path / "m99.ptx"))])
    assert await files.ready(60)
    assert files.index.get(str(tmp_path / "m99.ptx")) is not None


async def test_there_is_an_end_to_what_is_read(tmp_path: Path, monkeypatch: Any) -> None:  # noqa: ANN401
    write(tmp_path, **{f"m{n}": ".entry k() { ret; }\n" for n in range(9)})
    monkeypatch.setattr(workspace_files, "_MAX_FILES", 4)
    files = files_of(tmp_path)
    assert await files.ready(60)
    assert len(files.index) == 4


async def test_a_change_that_nobody_told_of(tmp_path: Path) -> None:
    write(tmp_path, a=".entry k() { ret; }\n")
    os.utime(tmp_path / "a.ptx", (1, 1))
    files = files_of(tmp_path)
    await check_files(files, tmp_path / "a.ptx")
    assert not await files.freshen(files.index)
    write(tmp_path, a=".entry longer() { ret; }\n")
    assert await files.freshen(files.index)
    assert [file.path for file in files.index.declaring("longer")] == [str(tmp_path / "a.ptx")]
    assert files.index.declaring("k") == []
    (tmp_path / "a.ptx").unlink()
    assert await files.freshen(files.index)
    await check_files(files)


async def test_a_change_at_the_time_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "a.ptx"
    write(tmp_path, a=".entry k() { ret; }\n")
    files = files_of(tmp_path)
    await check_files(files, path)
    status = path.stat()
    write(tmp_path, a=".entry l() { ret; }\n")  # of the same size
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert await files.freshen(files.index)
    assert [file.path for file in files.index.declaring("l")] == [str(path)]


async def test_a_scan_that_overtakes_a_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace_files, "_PAUSE_FACTOR", 0)
    directory, has_looked, may_end = tmp_path / "d", asyncio.Event(), asyncio.Event()
    may_end.set()

    async def run(work: Work) -> Any:  # noqa: ANN401
        found = work(lambda: False)
        if isinstance(found, News):
            has_looked.set()
            await may_end.wait()
        return found

    write(tmp_path, d__a="")
    os.utime(directory, (1, 1))
    files = files_of(tmp_path, run=run)
    await check_files(files, directory / "a.ptx")
    has_looked.clear()
    may_end.clear()
    shutil.rmtree(directory)
    files.released(uris.from_path(str(tmp_path / "c.txt")))  # looks at the directories
    await has_looked.wait()
    write(tmp_path, d__b="")
    files._host.folders[:] = [str(directory)]  # noqa: SLF001  # as a client would
    files.set_folders()
    while files.index.get(str(directory / "b.ptx")) is None:  # noqa: ASYNC110  # no event of it
        await asyncio.sleep(0)
    may_end.set()
    await check_files(files, directory / "b.ptx")


async def test_what_is_deleted_while_it_is_read(tmp_path: Path) -> None:
    write(tmp_path, a="", b="", d__c="")
    files = files_of(tmp_path)
    await check_files(files, *(tmp_path / name for name in ("a.ptx", "b.ptx", "d/c.ptx")))
    read, loop = index.read_file, asyncio.get_running_loop()

    def read_and_delete(path: str, unit: ColumnUnit, caches: SharedCaches) -> IndexedFile | None:
        found = read(path, unit, caches)
        Path(path).unlink()
        loop.call_soon_threadsafe(files.told, [uris.from_path(path)])
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "read_file", read_and_delete)
        files.told([uris.from_path(str(tmp_path / "a.ptx"))])
        await check_files(files, tmp_path / "b.ptx", tmp_path / "d" / "c.ptx")
    shutil.rmtree(tmp_path / "d")
    files.told([uris.from_path(str(tmp_path / "d"))])
    await check_files(files, tmp_path / "b.ptx")


async def test_a_folder_within_a_folder(tmp_path: Path) -> None:
    write(tmp_path, a="", d__b="")
    await check_files(files_of(tmp_path, tmp_path / "d"), tmp_path / "a.ptx", tmp_path / "d/b.ptx")
    await check_files(files_of(tmp_path / "gone"))


async def test_what_is_outside_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, a="", d__b="")
    files = files_of(tmp_path / "d")
    files.told([uris.from_path(str(tmp_path / "a.ptx"))])
    await check_files(files, tmp_path / "d" / "b.ptx")
    assert await files.load(str(tmp_path / "a.ptx")) is None
    assert await files.load(str(tmp_path / "d" / "b.ptx")) is not None


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_out_of_the_workspace_are_left_out(tmp_path: Path) -> None:
    folder, outside = tmp_path / "p", tmp_path / "other"
    write(outside, foreign=".entry foreign() { ret; }\n")
    write(folder, a=".entry own() { ret; }\n")
    (folder / "b.ptx").symlink_to(outside / "foreign.ptx")
    (folder / "c.ptx").symlink_to("a.ptx")
    (folder / "d.ptx").symlink_to("//host/share/a.ptx")
    with Client() as client:
        enter(client, folder)
        found = client.request("workspace/symbol", {"query": ""})
        names = sorted((it["name"], Path(it["location"]["uri"]).name) for it in found)
        assert names == [("own", "a.ptx"), ("own", "c.ptx")]
