"""Which files a name in a document may reach: by names alone on any system, and on a disk."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ptx_ls.files.confinement import (
    confined,
    is_below,
    is_beside,
    is_local,
    leads_away,
    open_regular,
)
from ptx_ls.source.uris import PathFlavour

POSIX, WINDOWS = PathFlavour.POSIX, PathFlavour.WINDOWS
NETWORK = [
    r"\\host\share\a.cu",
    "//host/share/a.cu",
    r"\/host/share",
    r"/\host\share",
    r"\\?\UNC\host\share\a.cu",
    r"\\.\pipe\a",
    r"\\?\C:\a.cu",
    r"\??\UNC\host\share",
    "file://host/share/a.cu",
    "FILE:/host",
    "http://host/a.cu",
    "smb://host/share",
]
"""Names that lead to another machine on some system: refused on each."""
DEVICES = ["NUL", "nul.cu", r"C:\src\con", r"C:\com1.txt", "LPT9", "a.cu:stream", r"C:\a:b", "C:a"]


def check_local(name: str, flavour: PathFlavour, *, expected: bool) -> None:
    """Checks whether a name can be that of a file on a disk of this machine."""
    assert is_local(name, flavour) is expected, name


def check_confined(path: Path, folders: list[Path], expected: Path | None, **more: Path) -> None:
    """Checks which file is reached, below some folders or directly in `directory`."""
    beside = more.get("directory")
    found = confined(str(path), map(str, folders), str(beside) if beside is not None else None)
    assert found == (str(expected) if expected is not None else None)


@pytest.mark.parametrize("flavour", [POSIX, WINDOWS])
@pytest.mark.parametrize("name", [*NETWORK, "", "a\0b", "a\nb", "\x1b[31m", "a" * 5000])
def test_names_that_no_disk_has(name: str, flavour: PathFlavour) -> None:
    check_local(name, flavour, expected=False)


@pytest.mark.parametrize("name", DEVICES)
def test_devices_of_windows(name: str) -> None:
    check_local(name, WINDOWS, expected=False)
    if "\\" not in name and not name.startswith("C:"):
        check_local(name, POSIX, expected=True)


@pytest.mark.parametrize("name", ["/dev/tty", "/proc/self/environ", "/a/../dev/zero", "/sys/x"])
def test_devices_of_unix(name: str) -> None:
    check_local(name, POSIX, expected=False)


def test_plain_names() -> None:
    for name in ("a.cu", "src/a.cu", "../a.cu", "/home/me/dev/a.cu", "naïve 文.cu", "a%2e.cu"):
        check_local(name, POSIX, expected=True)
    for name in ("a.cu", r"src\a.cu", r"C:\src\a.cu", "C:/src/a.cu", r"\src\a.cu", "console.cu"):
        check_local(name, WINDOWS, expected=True)


def test_below_is_not_a_prefix() -> None:
    for path, folder, expected in [
        ("/w/p/a.cu", "/w/p", True),
        ("/w/p-evil/a.cu", "/w/p", False),
        ("/w/p/../x/a.cu", "/w/p", False),
        ("/w/p/x/../a.cu", "/w/p/", True),
        ("/W/P/a.cu", "/w/p", False),
    ]:
        assert is_below(path, folder, POSIX) is expected, path
    for path, folder, expected in [
        (r"C:\Work\p\a.cu", r"c:\work\P", True),
        ("C:/Work/p/a.cu", r"c:\work\P", True),
        (r"C:\Work\p\..\x\a.cu", r"C:\Work\p", False),
        (r"D:\Work\p\a.cu", r"C:\Work\p", False),
        (r"C:\Work\p-evil\a.cu", r"C:\Work\p", False),
    ]:
        assert is_below(path, folder, WINDOWS) is expected, path


def test_beside_is_the_directory_alone() -> None:
    assert is_beside("/w/a.cu", "/w", POSIX)
    assert not is_beside("/w/src/a.cu", "/w", POSIX)
    assert not is_beside("/w/../etc/passwd", "/w", POSIX)
    assert is_beside(r"C:\w\A.cu", r"c:\W", WINDOWS)


def test_files_below_a_folder(tmp_path: Path) -> None:
    source = written(tmp_path / "p" / "src" / "a.cu")
    outside = written(tmp_path / "outside.cu")
    folders = [tmp_path / "p"]
    check_confined(source, folders, source)
    check_confined(tmp_path / "p" / "x" / ".." / "src" / "a.cu", folders, source)
    check_confined(tmp_path / "p" / ".." / "outside.cu", folders, None)
    check_confined(outside, folders, None)
    check_confined(outside, [], outside, directory=tmp_path)
    check_confined(source, [], None, directory=tmp_path)
    for other in (tmp_path / "p", tmp_path / "p" / "src", tmp_path / "p" / "missing.cu"):
        check_confined(other, folders, None)
    check_confined(Path("/etc/passwd"), folders, None, directory=tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links(tmp_path: Path) -> None:
    folder, outside = tmp_path / "p", written(tmp_path / "outside.cu")
    source = written(folder / "src" / "a.cu")
    links = {
        "away.cu": outside,
        "up": tmp_path,
        "inside.cu": Path("src/a.cu"),
        "round": Path("round"),
        "dangling.cu": Path("nowhere"),
        "device.cu": Path("/dev/zero"),
        "self.cu": Path("/proc/self/environ"),
        "share.cu": Path("//host/share/a.cu"),
        "twice.cu": Path("away.cu"),
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)
    check_confined(folder / "inside.cu", [folder], source)
    check_confined(folder / "inside.cu", [], None, directory=folder)
    for name in [*links, "up/outside.cu", "up/p/../outside.cu"]:
        if name != "inside.cu":
            check_confined(folder / name, [folder], None)
            check_confined(folder / name, [], None, directory=folder)
    check_confined(folder / "up" / "p" / "src" / "a.cu", [folder], source)
    assert leads_away(str(folder / "share.cu"))
    assert leads_away(str(folder / "device.cu"))
    assert not leads_away(str(folder / "dangling.cu"))
    assert not leads_away(str(folder / "away.cu"))


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_folder_that_is_a_link(tmp_path: Path) -> None:
    source = written(tmp_path / "data" / "a.cu")
    (tmp_path / "p").symlink_to("data")
    check_confined(tmp_path / "p" / "a.cu", [tmp_path / "p"], source)
    check_confined(source, [tmp_path / "p"], source)  # as compilers write it
    check_confined(source, [], source, directory=tmp_path / "p")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFO")
def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.cu")
    check_confined(tmp_path / "a.cu", [tmp_path], None)
    assert open_regular(str(tmp_path / "a.cu")) is None  # put there after it was checked


@pytest.mark.skipif(sys.platform != "linux", reason="counts system calls by their hook")
def test_nothing_outside_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    lstat, stat = os.lstat, os.stat

    def spy(path: str, **_more: object) -> os.stat_result:
        seen.append(str(path))
        return lstat(path)

    (tmp_path / "share.cu").symlink_to("//host/share/a.cu")
    monkeypatch.setattr(os, "lstat", spy)
    monkeypatch.setattr(os, "stat", spy)
    for name in ("/etc/passwd", "//host/share/a.cu", "../passwd", "share.cu"):
        check_confined(tmp_path / name, [tmp_path], None)
    monkeypatch.setattr(os, "stat", stat)
    above = {str(it) for it in (tmp_path, *tmp_path.parents)}
    assert set(seen) <= {*above, str(tmp_path / "share.cu")}


def written(path: Path) -> Path:
    """A new file at a path, with its directories."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("// source\n", encoding="utf-8")
    return path
