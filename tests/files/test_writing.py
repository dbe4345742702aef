"""Writing files: after any interruption a file holds the old or the new, and nothing else is left.

The tests may run as root, to whom the system refuses nothing: read-only is what the mode says.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ptx_ls.files import writing
from ptx_ls.files.writing import overwrite, write_whole

pytestmark = pytest.mark.slow

posix_only = pytest.mark.skipif(os.name == "nt", reason="modes, links and signals of POSIX")
OLD = b"old " * 1000
NEW = b"new and longer " * 5000
LARGE = b"x" * 8_000_000
WRITER = """\
import sys
from ptx_ls.files.writing import overwrite
old, new = (letter * 8_000_000 for letter in (b"x", b"y"))
print("ready", flush=True)
while True:
    overwrite(sys.argv[1], new, old)
    old, new = new, old
"""
LIMITED = """\
import resource, sys
from ptx_ls.files.writing import overwrite
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
try:
    overwrite(sys.argv[1], open(sys.argv[2], "rb").read(), open(sys.argv[1], "rb").read())
except OSError as error:
    print(error.strerror)
"""


def create(folder: Path, content: bytes = OLD, *, is_linked: bool = False) -> Path:
    """A file alone in a directory; `is_linked`: with another name elsewhere."""
    path = folder / "in" / "a.ptx"
    path.parent.mkdir()
    path.write_bytes(content)
    if is_linked:
        os.link(path, folder / "other.ptx")
    return path


def check_alone(path: Path) -> None:
    """Fails if anything lies beside the file."""
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("is_linked", [False, True])
@pytest.mark.parametrize("after", [NEW, b"", OLD[:10]])
def test_what_is_written(tmp_path: Path, after: bytes, *, is_linked: bool) -> None:
    path = create(tmp_path, is_linked=is_linked)
    overwrite(str(path), after, OLD)
    assert path.read_bytes() == after
    check_alone(path)
    if is_linked:
        assert path.samefile(tmp_path / "other.ptx")
        assert (tmp_path / "other.ptx").read_bytes() == after


@posix_only
@pytest.mark.parametrize("mode", [0o640, 0o755, 0o600, 0o666])
def test_mode_owner_and_links_stay(tmp_path: Path, mode: int) -> None:
    path = create(tmp_path)
    path.chmod(mode)
    if os.getuid() == 0:
        os.chown(path, 1234, 5678)
    link, far = tmp_path / "link.ptx", tmp_path / "far.ptx"
    link.symlink_to(path)
    far.symlink_to("link.ptx")
    before = path.stat()
    overwrite(str(far), NEW, OLD)
    after = path.stat()
    assert path.read_bytes() == NEW
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode,
        before.st_uid,
        before.st_gid,
    )
    assert link.is_symlink()
    assert far.is_symlink()
    check_alone(path)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="extended attributes of Linux")
def test_extended_attributes_stay(tmp_path: Path) -> None:
    path = create(tmp_path)
    try:
        os.setxattr(path, "user.origin", b"nvcc")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    overwrite(str(path), NEW, OLD)
    assert os.getxattr(path, "user.origin") == b"nvcc"
    assert path.read_bytes() == NEW


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555, 0o000, 0o464])
def test_a_read_only_file_is_left_alone(tmp_path: Path, mode: int) -> None:
    path = create(tmp_path)
    path.chmod(mode)
    with pytest.raises(OSError, match="read-only"):
        overwrite(str(path), NEW, OLD)
    path.chmod(0o644)
    assert path.read_bytes() == OLD
    check_alone(path)


@posix_only
def test_a_read_only_directory_does_not_matter(tmp_path: Path) -> None:
    path = create(tmp_path)
    path.parent.chmod(0o555)
    overwrite(str(path), NEW, OLD)
    assert path.read_bytes() == NEW
    check_alone(path)
    path.parent.chmod(0o755)


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = create(tmp_path, b"of an editor")
    with pytest.raises(OSError, match="in the meantime"):
        overwrite(str(path), NEW, OLD)
    assert path.read_bytes() == b"of an editor"
    check_alone(path)


def test_another_run_was_faster(tmp_path: Path) -> None:
    path = create(tmp_path, NEW)
    overwrite(str(path), NEW, OLD)
    assert path.read_bytes() == NEW


def test_a_missing_file_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        overwrite(str(tmp_path / "a.ptx"), NEW, OLD)
    assert not list(tmp_path.iterdir())


@posix_only
@pytest.mark.parametrize("way", ["nameless", "named", "no fork", "no room beside it"])
def test_every_way_to_write(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = create(tmp_path)
    if way != "nameless":
        monkeypatch.setattr(writing, "_NAMELESS", 0)
    if way == "no fork":
        monkeypatch.setattr(os, "fork", refuse)
    if way == "no room beside it":
        monkeypatch.setattr(writing, "_create", refuse)
    before = path.stat().st_ino
    overwrite(str(path), NEW, OLD)
    assert path.read_bytes() == NEW
    assert (path.stat().st_ino == before) is (way == "no room beside it")
    check_alone(path)


@posix_only
def test_a_file_that_cannot_be_replaced_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = create(tmp_path)
    before = path.stat().st_ino
    monkeypatch.setattr(os, "replace", refuse)
    overwrite(str(path), NEW, OLD)
    assert path.read_bytes() == NEW
    assert path.stat().st_ino == before
    check_alone(path)


@pytest.mark.parametrize("has_report", [False, True])
def test_what_an_earlier_run_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_report: bool
) -> None:
    path = create(tmp_path)
    token = "0123456789abcdef" * 2
    old, fresh = path.with_name(f".ptx-ls-new-{token}"), path.with_name(".ptx-ls-new-" + "0" * 32)
    others = [path.with_name(f".ptx-ls-new-{each}") for each in ("", "x" * 32, f"{token}.ptx")]
    folder = path.with_name(f".ptx-ls-new-{'1' * 32}")
    folder.mkdir()
    for each in (old, *others, folder, fresh):
        if each != folder:
            each.touch()
        if each != fresh:
            os.utime(each, (1, 1))
    monkeypatch.setattr(writing, "_tidied", set())  # as in a new process
    if has_report:
        write_whole(str(path.with_name("report")), NEW)
    else:
        overwrite(str(path), NEW, OLD)
    assert not old.exists()
    assert all(each.exists() for each in (*others, folder, fresh))


@pytest.mark.parametrize("name", ["a", "\u00e9" * 120, "n" * 255])
def test_a_name_of_any_length(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_whole(str(path), OLD)
    write_whole(str(path), NEW)
    assert path.read_bytes() == NEW
    check_alone(path)


def refuse(*_: object) -> int:
    """Fails as a system call does that lacks a resource."""
    raise OSError(11, "refused")


@posix_only
@pytest.mark.parametrize("is_linked", [False, True])
@pytest.mark.parametrize("size", [4_000, 30_000])
def test_a_full_disk_changes_nothing(tmp_path: Path, size: int, *, is_linked: bool) -> None:
    path = create(tmp_path, b"o" * size, is_linked=is_linked)
    other = tmp_path / "new"
    other.write_bytes(b"n" * 40_000)
    command = [sys.executable, "-c", LIMITED, str(path), str(other)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "File too large\n"
    assert path.read_bytes() == b"o" * size
    check_alone(path)


@posix_only
@pytest.mark.parametrize("is_linked", [False, True])
@pytest.mark.parametrize("by", ["process", "group"])
def test_a_kill_at_any_moment(tmp_path: Path, by: str, *, is_linked: bool) -> None:
    path = create(tmp_path, LARGE, is_linked=is_linked)
    for number in range(12):
        path.write_bytes(LARGE)
        command = [sys.executable, "-c", WRITER, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(number * 0.004)  # seconds
            if by == "group":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
            process.wait()
            if not is_linked:
                check_whole(path)
            process.stdout.read()  # until the process that survives to write has ended, too
        check_whole(path)
        check_alone(path)


def check_whole(path: Path) -> None:
    """Fails unless the file holds one of the two contents."""
    content = path.read_bytes()
    assert len(content) == len(LARGE)
    assert content.count(content[:1]) == len(content)


@posix_only
def test_a_stream_that_is_a_pipe() -> None:
    read, write = os.pipe()
    write_whole(f"/dev/fd/{write}", b"new")
    assert os.read(read, 9) == b"new"


@posix_only
def test_a_stream_that_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with path.open("wb", buffering=0) as stream:
        stream.write(b"before ")
        write_whole(f"/dev/fd/{stream.fileno()}", b"whole")
        stream.write(b" after")
    assert path.read_bytes() == b"before whole after"
