"""Where PTX is found on the disk, and what is left alone."""

import os
import sys
from pathlib import Path

import pytest

from ptx_ls.files.search import Listing, Unreadable, below, has_changed, listing, look


def check_below(root: Path, *expected: str) -> None:
    """Checks what is found below a directory: paths, with the reason why one is not read."""
    found = [
        f"{Path(each.path).relative_to(root).as_posix()}"
        + (f": {each.reason}" if isinstance(each, Unreadable) else f" {each.size}")
        for each in below(str(root))
        if not isinstance(each, Listing)
    ]
    assert sorted(found) == sorted(expected)


def create(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("ret;\n", "utf-8", newline="")


def test_directories_are_searched_but_for_hidden_ones(tmp_path: Path) -> None:
    create(tmp_path, "a.ptx", "d/e/B.PTX", "d/c.txt", ".git/d.ptx", "d/.cache/e.ptx")
    check_below(tmp_path, "a.ptx 5", "d/e/B.PTX 5")


def test_after_each_directory_one_may_leave(tmp_path: Path) -> None:
    create(tmp_path, "a.ptx", "d/b.ptx")
    found = [isinstance(each, Listing) for each in below(str(tmp_path))]
    assert found == [False, True, False, True]


def test_what_is_added_to_a_directory_or_taken_away_shows_in_its_time(tmp_path: Path) -> None:
    create(tmp_path, "a.ptx", "d/b.ptx")
    os.utime(tmp_path, (1, 1))
    known = listing(str(tmp_path))
    assert isinstance(known, Listing)
    assert known.files == (str(tmp_path / "a.ptx"),)
    assert known.directories == (str(tmp_path / "d"),)
    assert not has_changed(known)
    create(tmp_path, "c.ptx")
    assert has_changed(known)
    assert has_changed(known._replace(path=str(tmp_path / "gone")))
    assert has_changed(known._replace(time=None))


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_to_files_are_followed_and_those_to_directories_are_not(tmp_path: Path) -> None:
    create(tmp_path, "d/a.ptx")
    (tmp_path / "link.ptx").symlink_to("d/a.ptx")
    (tmp_path / "gone.ptx").symlink_to("nowhere")
    (tmp_path / "other").symlink_to("d")
    (tmp_path / "round").symlink_to(".")
    check_below(tmp_path, "d/a.ptx 5", "link.ptx 5", "gone.ptx: a broken link")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFO")
def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.ptx")
    (tmp_path / "b.ptx").mkdir()
    found = look(str(tmp_path / "a.ptx"))
    assert isinstance(found, Unreadable)
    assert "FIFO" in found.reason
    assert isinstance(look(str(tmp_path / "b.ptx")), Unreadable)


def test_what_is_not_there(tmp_path: Path) -> None:
    reason, nothing = below(str(tmp_path / "gone"))
    assert isinstance(reason, Unreadable)
    assert nothing == Listing(str(tmp_path / "gone"), None)
    assert isinstance(look("a\0.ptx"), Unreadable)
