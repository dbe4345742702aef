"""Where the cache is, and which folders are refused."""

import os
import sys
from pathlib import Path

import pytest

from ptx_ls.cli.arguments import UsageError
from ptx_ls.cli.cache.folder import VARIABLE, chosen_folder, is_cache, make_folder
from ptx_ls.source.user_folders import cache_folder

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="access lists instead of modes")


def check_folder(expected: str, platform: str, **environment: str) -> None:
    assert cache_folder(platform, environment, "/home/me") == expected


def check_refused(folder: Path, why: str) -> None:
    with pytest.raises(OSError, match=why):
        make_folder(str(folder))
    assert not is_cache(str(folder)) or "other users" in why


def test_folders_of_operating_systems() -> None:
    check_folder("/home/me/.cache/ptx-ls", "linux")
    check_folder("/x/ptx-ls", "linux", XDG_CACHE_HOME="/x")
    check_folder("/home/me/.cache/ptx-ls", "linux", XDG_CACHE_HOME="relative")
    check_folder("/home/me/Library/Caches/ptx-ls", "darwin", XDG_CACHE_HOME="/x")
    check_folder("C:\\Local\\ptx-ls", "win32", LOCALAPPDATA="C:\\Local")


def test_option_wins_over_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "from-variable")
    assert chosen_folder(None) == str(tmp_path / "from-variable")
    assert chosen_folder("from-option") == str(tmp_path / "from-option")


def test_empty_variable_turns_the_cache_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    assert chosen_folder(None) == ""
    with pytest.raises(UsageError, match="found nothing"):
        chosen_folder("")


def test_new_folder_is_marked(tmp_path: Path) -> None:
    folder = tmp_path / "above" / "cache"
    make_folder(str(folder))
    make_folder(str(folder))
    assert is_cache(str(folder))
    assert [each.name for each in folder.iterdir()] == ["CACHEDIR.TAG"]
    if sys.platform != "win32":
        assert folder.stat().st_mode & 0o777 == 0o700


def test_empty_folder_is_used(tmp_path: Path) -> None:
    make_folder(str(tmp_path))
    assert is_cache(str(tmp_path))


def test_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").touch()
    check_refused(tmp_path, "contains files that do not belong to this cache")


def test_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    check_refused(path, "irectory")


@needs_posix
def test_folder_that_others_may_write_to_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    make_folder(str(folder))
    folder.chmod(0o770)
    check_refused(folder, "other users may write to")


@needs_posix
def test_folder_of_someone_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_folder(str(tmp_path / "cache"))
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    check_refused(tmp_path / "cache", "other users may write to")


def test_folder_that_another_run_is_making_is_used(tmp_path: Path) -> None:
    (tmp_path / "CACHEDIR.TAG.123").touch()
    make_folder(str(tmp_path))
    assert is_cache(str(tmp_path))
