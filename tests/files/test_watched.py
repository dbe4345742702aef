from __future__ import annotations

import os
from pathlib import Path

import pytest

from ptx_ls.files.watched import WatchedPaths, watched_paths


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project" / "sub" / "deep").mkdir(parents=True)
    (tmp_path / "project" / ".git").mkdir()
    (tmp_path / "project" / "a.ptx").touch()
    (tmp_path / "project" / "sub" / "b.ptx").touch()
    monkeypatch.chdir(tmp_path / "project")


def check_watched(paths: str, *folders: str, others: tuple[str, ...] = ()) -> WatchedPaths:
    """Fails unless these folders of the project, and no others in it, are watched."""
    root = Path.cwd()
    found = watched_paths(paths.split(), others)
    inside = {each for each in map(Path, found.folders) if each.is_relative_to(root)}
    assert inside == {root / each for each in folders}
    assert str(root.parent) in found.folders  # a configuration may appear there
    return found


def absolute(path: str) -> str:
    return str(Path.cwd() / path)


def test_a_folder_and_those_below_it() -> None:
    check_watched(".", ".", "sub", "sub/deep")
    check_watched("sub", ".", "sub", "sub/deep")


def test_a_file() -> None:
    found = check_watched("a.ptx", ".")
    assert absolute("a.ptx") in found.files
    check_watched("sub/b.ptx", ".", "sub")


def test_patterns() -> None:
    check_watched("sub/*.ptx", ".", "sub", "sub/deep")
    check_watched("**/*.ptx", ".", "sub", "sub/deep")


def test_what_does_not_exist() -> None:
    check_watched("sub/none/c.ptx", ".", "sub")
    check_watched("none/*.ptx", ".", "sub", "sub/deep")


def test_other_files_that_the_run_reads() -> None:
    found = check_watched("a.ptx", ".", "sub", others=("sub/base.toml",))
    assert found.concerns(absolute("sub/base.toml"))


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_link_to_a_file() -> None:
    Path("link.ptx").symlink_to("sub/b.ptx")
    found = check_watched("link.ptx", ".", "sub")
    assert found.concerns(absolute("sub/b.ptx"))


@pytest.mark.parametrize(
    "path", ["a.ptx", "new.PTX", "sub", "ptx-ls.toml", "pyproject.toml", ".gitignore"]
)
def test_changes_that_matter(path: str) -> None:
    assert watched_paths(["."], []).concerns(absolute(path))


@pytest.mark.parametrize("path", ["a.txt", "a.ptx.swp", "gone"])
def test_other_changes(path: str) -> None:
    assert not watched_paths(["."], []).concerns(absolute(path))
