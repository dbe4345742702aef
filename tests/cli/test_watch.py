"""`ptx-ls lint --watch`: in a terminal, and in a pipe."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptx_ls.cli.main import main

pytestmark = pytest.mark.excerpts

CLEAN = ".version 8.0\n.target sm_80\n.address_size 64\n"
WRONG = f"{CLEAN}.entry k()\n{{\n    xaddd.s32 1;\n    ret;\n}}\n"
CLEAR = "\x1b[2J\x1b[H"
READY = "Watching for changes"
PATIENCE = 60.0

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs pseudo-terminals")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")


class Watching:
    """A watching process whose output is a terminal or a pipe."""

    def __init__(self, *arguments: str, is_terminal: bool = True) -> None:
        if is_terminal:
            import pty  # noqa: PLC0415  not on Windows

            self._reader, writer = pty.openpty()
        else:
            self._reader, writer = os.pipe()
        command = [sys.executable, "-m", "ptx_ls", "lint", "--watch", "--output-format", "concise"]
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            self.process = subprocess.Popen(
                [*command, *arguments], stdin=subprocess.DEVNULL, stdout=writer, stderr=writer
            )
        finally:
            signal.signal(signal.SIGINT, before)
        os.close(writer)
        self._unread = ""

    def check_screen(self, *expected: str) -> None:
        """Waits for the end of a report; fails unless these lines are all that was written."""
        screen = self._read_to(READY).replace("\r\n", "\n")
        assert screen.removeprefix(CLEAR).splitlines() == list(expected)

    def _read_to(self, text: str) -> str:
        """Returns what is written up to the end of the line with a text, without that line."""
        deadline = time.monotonic() + PATIENCE
        while text not in self._unread or "\n" not in self._unread.partition(text)[2]:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self._reader], [], [], max(0.0, left))
            assert ready, f"nothing but {self._unread!r}"
            self._unread += os.read(self._reader, 1 << 16).decode()
        found, _, rest = self._unread.partition(text)
        self._unread = rest.partition("\n")[2]
        return found

    def end(self) -> int:
        """Interrupts the process, and returns its exit status."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(PATIENCE)
        if select.select([self._reader], [], [], 0)[0]:
            with contextlib.suppress(OSError):  # the terminal is gone
                self._unread += os.read(self._reader, 1 << 16).decode()
        assert self._unread.strip() == ""
        return status

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._reader)


@pytest.fixture
def started() -> Iterator[list[Watching]]:
    """The processes of a test, which end with it."""
    processes: list[Watching] = []
    yield processes
    for each in processes:
        each.close()


def watch(started: list[Watching], *arguments: str, is_terminal: bool = True) -> Watching:
    started.append(Watching(*arguments, is_terminal=is_terminal))
    return started[-1]


def save(name: str, text: str) -> None:
    """Replaces a file as editors do: with another file that gets its name."""
    Path(name).with_suffix(".new").write_text(text, "utf-8")
    Path(name).with_suffix(".new").replace(name)


FOUND = "a.ptx:6:5: error: unknown opcode `xaddd` [unknown-opcode]"
ONE_ERROR = "Found 1 error in 1 file ({} checked)"


@needs_posix
@pytest.mark.slow
def test_changes_of_files(started: list[Watching]) -> None:
    save("a.ptx", WRONG)
    save("b.ptx", CLEAN)
    run = watch(started)
    run.check_screen(FOUND, ONE_ERROR.format(2), "Checked 2 files. ")
    save("a.ptx", CLEAN)
    run.check_screen("Found no problems in 2 files", "Checked 1 file. ")
    save("a.ptx", WRONG)
    run.check_screen(FOUND, ONE_ERROR.format(2), "Checked 1 file. ")
    Path("b.ptx").unlink()
    run.check_screen(FOUND, ONE_ERROR.format(1), "Checked 0 files. ")
    Path("sub").mkdir()
    save("sub/c.ptx", CLEAN)
    run.check_screen(FOUND, ONE_ERROR.format(2), "Checked 1 file. ")
    save("sub/c.ptx", WRONG)
    found = FOUND.replace("a.ptx", "sub/c.ptx")
    run.check_screen(FOUND, found, "Found 2 errors in 2 files (2 checked)", "Checked 1 file. ")
    save("other.txt", "does not matter")
    Path("a.ptx").unlink()
    run.check_screen(found, ONE_ERROR.format(1), "Checked 0 files. ")
    assert run.end() == 0


@needs_posix
@pytest.mark.slow
def test_changes_of_the_configuration(started: list[Watching]) -> None:
    save("a.ptx", WRONG)
    run = watch(started, "a.ptx")
    run.check_screen(FOUND, ONE_ERROR.format(1), "Checked 1 file. ")
    save("ptx-ls.toml", 'lint.ignore = ["unknown-opcode"]\n')
    run.check_screen("Found no problems in 1 file", "Checked 1 file. ")
    save("ptx-ls.toml", 'lint.ignore = ["unknown-code"]\n')
    found = run._read_to(READY)  # noqa: SLF001  the path is that of a temporary folder
    assert "ptx-ls.toml:1: `ignore`: expected rule or group names" in found
    assert "did you mean `unknown-opcode`?" in found
    Path("ptx-ls.toml").unlink()
    run.check_screen(FOUND, ONE_ERROR.format(1), "Checked 1 file. ")
    assert run.end() == 0


@needs_posix
@pytest.mark.slow
def test_a_named_file_that_is_missing_for_a_moment(started: list[Watching]) -> None:
    Path("sub").mkdir()
    save("sub/a.ptx", CLEAN)
    run = watch(started, "sub/a.ptx")
    run.check_screen("Found no problems in 1 file", "Checked 1 file. ")
    Path("sub/a.ptx").unlink()
    Path("sub").rmdir()
    run.check_screen("ptx-ls: sub/a.ptx: No such file or directory", "Checked 0 files. ")
    Path("sub").mkdir()
    save("sub/a.ptx", CLEAN)
    run.check_screen("Found no problems in 1 file", "Checked 1 file. ")
    assert run.end() == 0


@needs_posix
@pytest.mark.slow
def test_a_pipe_is_not_cleared(started: list[Watching]) -> None:
    save("a.ptx", CLEAN)
    run = watch(started, "--quiet", "--output-format", "jsonl", is_terminal=False)
    save("b.ptx", WRONG)
    found = run._read_to('"rule": "unknown-opcode"')  # noqa: SLF001  a quiet run has no last line
    assert found.startswith('{"path": "b.ptx"')
    assert run.end() == 0


def check_refused(capsys: pytest.CaptureFixture[str], arguments: str, complaint: str) -> None:
    assert main(["lint", "--watch", *arguments.split()]) == 2
    assert capsys.readouterr() == ("", f"ptx-ls: {complaint}\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("-", "--watch watches files, but standard input is not a file"),
        ("--fix", "--watch changes no files; leave out --fix"),
        ("--baseline b.json --update-baseline", "--watch does not write a baseline"),
    ],
)
def test_what_cannot_be_watched(
    capsys: pytest.CaptureFixture[str], arguments: str, complaint: str
) -> None:
    check_refused(capsys, arguments, complaint)


def test_the_package_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    check_refused(capsys, "", "--watch needs the package `watchfiles`: pip install 'ptx-ls[watch]'")


def test_a_mistake_in_the_configuration_at_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    save("ptx-ls.toml", "nonsense")
    assert main(["lint", "--watch"]) == 2
    assert "ptx-ls.toml: " in capsys.readouterr().err


def test_standard_input_in_a_list_of_paths(capsys: pytest.CaptureFixture[str]) -> None:
    save("list.txt", "a.ptx\n-\n")
    check_refused(capsys, "@list.txt", "--watch watches files, but standard input is not a file")


def test_the_files_that_would_be_watched(capsys: pytest.CaptureFixture[str]) -> None:
    save("a.ptx", CLEAN)
    assert main(["lint", "--watch", "--show-files"]) == 0
    assert capsys.readouterr() == ("a.ptx\n", "")
