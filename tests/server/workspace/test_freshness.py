"""After any change on the disk, the index equals one that is made from scratch.

A client notifies the server of changed files that it watches. Other notifications are optional:
some clients send only the name of a directory that was moved or deleted, and some send nothing.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.server.session import Session
from ptx_ls.server.workspace import files as workspace_files
from ptx_ls.server.workspace.file_work import FileWork
from ptx_ls.server.workspace.files import WorkspaceFiles
from ptx_ls.source import uris
from ptx_ls.source.columns import ColumnUnit

DIRECTORIES: Final = ("a", "a/b", "a/.hidden", "c.ptx", "c.ptx/d", "a/link")
FILES: Final = tuple(
    f"{directory}{name}"
    for directory in ("", *(f"{it}/" for it in DIRECTORIES))
    for name in ("m.ptx", "n.PTX", "o.txt")
)
LINKS: Final = ("a/link", "c.ptx/link", "b")
PTX: Final = b".version 8.0\n.entry k%d() { ret; }\n"
TEXTS: Final = (PTX, PTX, b"\x7fELF\0%d", b".entry \xff%d() { ret; }\n")

Step = tuple[Any, ...]


class Workspace:
    """A directory on the disk, and what is known of it."""

    def __init__(self, parent: Path, *, is_told_of_files: bool) -> None:
        self.root = parent / "root"
        self.root.mkdir()
        self.is_told = is_told_of_files
        self.folders = [self.root]
        self.file_work = FileWork()
        self.numbers = count(1)
        self.known, self.session = self.seen()

    def seen(self) -> tuple[WorkspaceFiles, SimpleNamespace]:
        """The files of the folders for somebody who begins to look."""

        async def run(work: Callable[[Callable[[], bool]], Any]) -> Any:  # noqa: ANN401
            return work(lambda: False)

        session = SimpleNamespace(
            folders=list(map(str, self.folders)),
            unit=ColumnUnit.UTF_8,
            run=run,
            file_work=self.file_work,
            progress=None,
            is_told_of_files=self.is_told,
        )
        files = WorkspaceFiles(cast(Session, session))
        files.set_folders()
        return files, session

    def write(self, path: str, text: bytes, *, is_told: bool) -> None:
        place = self.root / path
        is_new_directory = not place.parent.is_dir()
        place.parent.mkdir(parents=True, exist_ok=True)
        number = next(self.numbers)
        # Each of another length: files of one length and time look the same.
        place.write_bytes(text.replace(b"%d", b"%d" % number) + b" " * number)
        if is_told or (self.is_told and not is_new_directory):
            self.tell(place, place.resolve())

    def delete(self, path: str, *, is_told: bool) -> None:
        place = self.root / path
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink()
        if is_told:
            self.tell(place)

    def move(self, path: str, other: str, *, is_told: bool) -> None:
        place, new = self.root / path, self.root / other
        place.rename(new)
        if is_told or (self.is_told and new.is_file()):
            self.tell(place, new, Path(os.path.realpath(new)))

    def link(self, path: str, other: str, *, is_told: bool) -> None:
        place = self.root / other
        place.symlink_to(self.root / path, target_is_directory=True)
        if is_told:
            self.tell(place)

    def tell(self, *places: Path) -> None:
        self.known.told(uris.from_path(str(place)) for place in places)

    def enter(self, paths: list[str]) -> None:
        self.folders = [self.root / path for path in paths]
        self.session.folders = list(map(str, self.folders))
        self.known.set_folders()

    async def check(self) -> None:
        """Checks what is known of which files."""
        found = []
        for files in (self.known, self.seen()[0]):
            assert await files.ready(60)
            found.append({it.path: [each.symbol.name for each in it.symbols] for it in files.index})
        assert found[0] == found[1]


async def live(steps: list[Step], *, is_told_of_files: bool) -> None:
    with tempfile.TemporaryDirectory() as parent:
        workspace = Workspace(Path(parent), is_told_of_files=is_told_of_files)
        try:
            for name, *arguments, option in steps:
                if name == "wait":
                    await workspace.known.ready(0.001)
                elif name == "check":
                    await workspace.check()
                elif name == "enter":
                    workspace.enter(*arguments)
                else:
                    with suppress(OSError):  # nothing is there, or something is in the way
                        getattr(workspace, name)(*arguments, is_told=option)
            await workspace.check()
        finally:
            workspace.file_work.close()


def a_step() -> st.SearchStrategy[Step]:
    files, directories = st.sampled_from(FILES), st.sampled_from(DIRECTORIES)
    is_told = st.booleans()
    folders = st.lists(st.sampled_from(("", *DIRECTORIES)), max_size=3, unique=True)
    return st.one_of(
        st.tuples(st.just("write"), files, st.sampled_from(TEXTS), is_told),
        st.tuples(st.just("write"), files, st.just(PTX), is_told),
        st.tuples(st.just("delete"), st.one_of(files, directories), is_told),
        st.tuples(st.just("move"), files, files, is_told),
        st.tuples(st.just("move"), directories, directories, is_told),
        st.tuples(st.just("link"), directories, st.sampled_from(LINKS), is_told),
        st.tuples(st.just("enter"), folders, st.none()),
        st.tuples(st.sampled_from(("wait", "check")), st.none()),
    )


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@given(st.lists(a_step(), max_size=30), st.booleans())
@example(
    steps=[
        ("write", "a/m.ptx", PTX, True),
        ("link", "a", "b", True),
        ("check", None),
        ("write", "b/n.ptx", PTX, True),
    ],
    is_told_of_files=True,
)
@example(
    steps=[
        ("write", "m.ptx", b"\x7fELF\x00%d", False),
        ("wait", None),
        ("write", "m.ptx", PTX, False),
    ],
    is_told_of_files=False,
)
@settings(max_examples=60, deadline=None)
def test_the_index_stays_fresh(steps: list[Step], is_told_of_files: bool) -> None:  # noqa: FBT001
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workspace_files, "_PAUSE_FACTOR", 0)
        asyncio.run(live(steps, is_told_of_files=is_told_of_files))
