"""Files that are named besides PTX: what is read, and what is refused."""

import os
import sys
from pathlib import Path

import pytest

from ptx_ls.files.named import read_named

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="POSIX has it, Windows has not")


def check_refused(path: str, reason: str) -> None:
    with pytest.raises(OSError, match=reason):
        read_named(path)


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ptx-ls.toml"
    path.write_bytes(b"[lint]\n")
    assert read_named(str(path)) == b"[lint]\n"
    assert read_named(os.devnull) == b""


def test_what_is_not_a_file(tmp_path: Path) -> None:
    check_refused(str(tmp_path / "missing"), "No such file")
    if sys.platform != "win32":
        check_refused(str(tmp_path), "Is a directory")


@posix_only
def test_what_might_never_end(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    if sys.platform != "win32":
        os.mkfifo(path)
    check_refused(str(path), "a FIFO, not a file")
    check_refused("/dev/zero", "a device, not a file")


@posix_only
def test_a_stream_of_the_process() -> None:
    """A shell names a pipe so, for `<(COMMAND)`."""
    reader, writer = os.pipe()
    os.write(writer, b"[lint]\n")
    os.close(writer)
    assert read_named(f"/dev/fd/{reader}") == b"[lint]\n"
    os.close(reader)
