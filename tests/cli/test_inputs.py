import io
import os
import socket
import sys
from pathlib import Path

import pytest

from ptx_ls.cli import inputs
from ptx_ls.cli.arguments import UsageError
from ptx_ls.cli.inputs import Unreadable


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check_found(paths: list[str], *expected: str) -> None:
    """Checks the files found: paths with the slashes of the system, and reasons after a colon."""
    found = [
        f"{each.path}: {each.reason}" if isinstance(each, Unreadable) else each.path
        for each in inputs.find(paths)
    ]
    assert found == [path.replace("/", os.sep) for path in expected]


def create(*paths: str) -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("ret;\n", "utf-8")


def test_files_in_the_order_given() -> None:
    create("b.ptx", "a.ptx", "c.txt")
    check_found(["b.ptx", "a.ptx", "c.txt"], "b.ptx", "a.ptx", "c.txt")


def test_directories_are_searched_and_sorted() -> None:
    create("d/b.ptx", "d/a/z.ptx", "d/a.b/y.ptx", "d/C.PTX", "d/notes.txt", "d/ptx")
    check_found(["d"], "d/C.PTX", "d/a/z.ptx", "d/a.b/y.ptx", "d/b.ptx")


def test_current_directory_is_not_named() -> None:
    create("b.ptx", "d/a.ptx")
    check_found(["."], "b.ptx", "d/a.ptx")


def test_a_list_of_files() -> None:
    create("a.ptx", "b\u2028.ptx")
    Path("list").write_text("\ufeffa.ptx\r\n\r\nb\u2028.ptx", "utf-8", newline="")
    check_found(["@list"], "a.ptx", "b\u2028.ptx")


def test_a_list_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.lexists", lambda path: path == "list")
    with pytest.raises(UsageError, match=r"^@list: No such"):
        inputs.find(["@list"])


def test_hidden_directories_only_when_named() -> None:
    create("a.ptx", ".venv/b.ptx", "d/.git/c.ptx")
    check_found(["."], "a.ptx")
    check_found([".venv"], ".venv/b.ptx")


def test_nothing_twice() -> None:
    create("d/a.ptx", "d/b.ptx")
    check_found(
        ["d/b.ptx", "d", str(Path("d/a.ptx").resolve()), "d/../d/b.ptx"], "d/b.ptx", "d/a.ptx"
    )


def test_missing_file() -> None:
    check_found(["nope.ptx", ""], f"nope.ptx: {os.strerror(2)}", f": {os.strerror(2)}")


def test_directory_without_ptx() -> None:
    create("d/notes.txt")
    check_found(["d"], "d: no .ptx file in this directory")


def test_directory_called_ptx() -> None:
    create("d.ptx/a.ptx")
    check_found(["."], "d.ptx/a.ptx")


def test_too_long_name() -> None:
    (found,) = inputs.find(["x" * 5000])
    assert isinstance(found, Unreadable)


def test_nul_in_a_name() -> None:
    (found,) = inputs.find(["a\0b"])
    assert isinstance(found, Unreadable)
    assert "null" in found.reason


def test_very_deep_directories(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(300):
        deep /= "d"
    deep.mkdir(parents=True)
    (deep / "a.ptx").write_text("", "utf-8")
    check_found(["."], "d/" * 300 + "a.ptx")


needs_posix = pytest.mark.skipif(os.name != "posix", reason="POSIX has it, Windows has not")


@needs_posix
def test_broken_link() -> None:
    Path("d").mkdir()
    Path("d/a.ptx").symlink_to("nowhere")
    check_found(["d/a.ptx"], "d/a.ptx: a broken link")
    check_found(["d"], "d/a.ptx: a broken link")


@needs_posix
def test_links_to_files_are_followed_and_links_to_directories_are_not() -> None:
    create("d/a.ptx")
    Path("d/b.ptx").symlink_to("a.ptx")
    Path("d/again").symlink_to(".")
    Path("d/again.ptx").symlink_to(".")
    check_found(["d"], "d/a.ptx", "d/b.ptx")
    check_found(["d/again"], "d/again/a.ptx", "d/again/b.ptx")


@needs_posix
def test_link_to_itself() -> None:
    Path("a.ptx").symlink_to("a.ptx")
    (found,) = inputs.find(["."])
    assert isinstance(found, Unreadable)


@needs_posix
def test_what_is_no_file() -> None:
    assert sys.platform != "win32"
    os.mkfifo("f.ptx")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.ptx")
        check_found(
            [".", "/dev/null"],
            "f.ptx: a FIFO, not a file; `-` reads standard input",
            "s.ptx: a socket, not a file",
            "/dev/null: a device, not a file",
        )


@needs_posix
def test_unreadable_directory() -> None:
    create("d/a.ptx", "d/secret/b.ptx")
    Path("d/secret").chmod(0)
    if os.access("d/secret", os.R_OK):
        pytest.skip("this user may read everything")
    try:
        check_found(["d"], "d/a.ptx", f"d/secret: {os.strerror(13)}")
    finally:
        Path("d/secret").chmod(0o755)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux takes any bytes as a name")
def test_name_that_is_no_text() -> None:
    name = os.fsdecode(b"\xff.ptx")
    create(name)
    check_found(["."], name)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"ret;\xff")))
    (found,) = inputs.find(["-", "-"], "kernel.ptx")
    assert found == inputs.Input("kernel.ptx", 5, b"ret;\xff")


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    check_found(["-"], "<stdin>: standard input is closed")


def test_wildcards_are_expanded() -> None:
    create("b.ptx", "a.ptx")
    check_found(["*.ptx", "*.cu"], "a.ptx", "b.ptx", f"*.cu: {os.strerror(2)}")
