"""The files with patterns that git reads besides each `.gitignore`."""

from pathlib import Path

import pytest

from ptx_ls.files.configuration.access import ANY_FILE
from ptx_ls.files.configuration.git_files import files_of_repository


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "user"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "global"))


def check_files(folder: Path, *expected: str) -> None:
    """Checks the files of the repository in `root`, below the folder."""
    found = [path for path, _ in files_of_repository(str(folder / "root"), ANY_FILE)]
    assert [Path(path) for path in found] == [folder / it for it in expected]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_defaults(tmp_path: Path) -> None:
    check_files(tmp_path, "root/.git/info/exclude", "user/.config/git/ignore")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[core]\nexcludesFile = ~/mine\n", "user/mine"),
        ("[CORE] ExcludesFile=~/mine ; a comment\n", "user/mine"),
        ('[core]\n  excludesfile = "~/a;b" # c\n', "user/a;b"),
        ('[core]\nexcludesfile = "~/a\\"b"\n', 'user/a"b'),
        ("[core]\nexcludesfile = x\n[other]\nexcludesfile = y\n", "root/x"),
        ('[core "x"]\nexcludesfile = x\n', "user/.config/git/ignore"),
        ("[core]\nexcludesfile\n[core\n", "user/.config/git/ignore"),
        ("[core]\nexcludesfile = a\nexcludesfile = ~/b\n", "user/b"),
        ("\ufeff[core]\nexcludesfile = ~/b\n", "user/b"),
        ("[core]\nexcludesfile = \\\n~/b\\\r\nc\n", "user/bc"),
        ("[core]\n# \\\nexcludesfile = ~/b\\", "user/b"),
        ("[core]\nexcludesfile = ~/b\u2028c\n", "user/b\u2028c"),
    ],
)
def test_the_file_of_a_user(tmp_path: Path, text: str, path: str) -> None:
    write(tmp_path / "global", text)
    check_files(tmp_path, "root/.git/info/exclude", path)


def test_the_file_of_a_repository_wins(tmp_path: Path) -> None:
    write(tmp_path / "global", "[core]\nexcludesFile = ~/mine\n")
    write(tmp_path / "root" / ".git" / "config", "[core]\nexcludesFile = own\n")
    check_files(tmp_path, "root/.git/info/exclude", "root/own")


def test_a_further_work_tree(tmp_path: Path) -> None:
    write(tmp_path / "root" / ".git", "gitdir: ../main/.git/worktrees/root\n")
    write(tmp_path / "main" / ".git" / "worktrees" / "root" / "commondir", "../..\n")
    check_files(tmp_path, "main/.git/info/exclude", "user/.config/git/ignore")


def test_a_submodule(tmp_path: Path) -> None:
    write(tmp_path / "root" / ".git", "gitdir: ../.git/modules/m\n")
    check_files(tmp_path, ".git/modules/m/info/exclude", "user/.config/git/ignore")
