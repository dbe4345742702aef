import contextlib
import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ptx_ls.cli import progress
from ptx_ls.cli.progress import ProgressBar


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Pipe(io.StringIO):
    pass


def check_shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, *, is_wanted: bool) -> str:
    """Runs five of nine files long enough to be told about, and returns what is written."""
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.001)
    with ProgressBar(9, is_wanted=is_wanted) as shown:
        shown.n_done = 5
        give_up = time.monotonic() + 60
        while is_wanted and stream.isatty() and "5/9" not in stream.getvalue():
            assert time.monotonic() < give_up
            time.sleep(0.001)
        with shown.hidden():
            pass
    return stream.getvalue()


def test_a_long_run_is_shown_and_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    written = check_shown(monkeypatch, Terminal(), is_wanted=True)
    assert re.search("Linting .* 5/9 0:00:00", written)
    assert written.endswith("\x1b[1A\x1b[2K")
    assert "\x1b[?25l" not in written  # a killed process leaves a visible cursor


def test_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_shown(monkeypatch, Pipe(), is_wanted=True) == ""


def test_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_shown(monkeypatch, Terminal(), is_wanted=False) == ""


def test_a_short_run_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with ProgressBar(9) as shown, shown.hidden():
        pass
    assert stream.getvalue() == ""


def test_a_terminal_without_controls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with ProgressBar(9) as shown, shown.hidden():
        pass
    assert stream.getvalue() == ""


def test_one_file_has_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.001)
    give_up = time.monotonic() + 60
    with ProgressBar(1):
        while "Linting" not in stream.getvalue():
            assert time.monotonic() < give_up
            time.sleep(0.001)
    assert "0:00:00" in stream.getvalue()
    assert "/" not in stream.getvalue()


SLOW_RUN = """
import sys, time
from ptx_ls.cli import progress
from ptx_ls.cli.linting import check
from ptx_ls.cli.main import main
progress.PATIENCE, progress.INTERVAL = 0.0, 0.01
real = check.check
def slowly(*arguments, **options):
    while "rich.progress" not in sys.modules:
        time.sleep(0.01)
    time.sleep(0.1)
    return real(*arguments, **options)
check.check = slowly
sys.exit(main(["lint", "--output-format", "concise", "a.ptx", "b.ptx", "c.ptx"]))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs pseudo-terminals")
def test_reports_are_on_lines_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pty  # noqa: PLC0415  not on Windows

    monkeypatch.chdir(tmp_path)
    for name in ("a.ptx", "b.ptx", "c.ptx"):
        Path(name).write_text(".version 8.0\n.target sm_80\nrat;\n", "utf-8")
    reader, writer = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", SLOW_RUN], stdout=writer, stderr=writer) as run:
        os.close(writer)
        written = b""
        with contextlib.suppress(OSError):  # the terminal is gone
            while part := os.read(reader, 1 << 16):
                written += part
    os.close(reader)
    assert run.returncode == 1
    screen = Screen()
    screen.write(written.decode())
    lines = [line for line in screen.lines if line]
    assert [line.partition(":")[0] for line in lines[:3]] == ["a.ptx", "b.ptx", "c.ptx"]
    assert lines[3:] == ["Found 3 errors in 3 files (3 checked)"]
    assert "Linting" in written.decode()


class Screen:
    """The lines of a terminal, for the few controls that a progress bar uses."""

    def __init__(self) -> None:
        self.lines = [""]
        self._row = self._column = 0

    def write(self, text: str) -> None:
        for control, shown in re.findall(r"(\x1b\[[\d;?]*[a-zA-Z]|[\r\n])|([^\x1b\r\n]+)", text):
            if control == "\r":
                self._column = 0
            elif control == "\n":
                self._row += 1
                self.lines += [""] * (self._row + 1 - len(self.lines))
            elif control.endswith("A"):
                self._row -= int(control[2:-1])
            elif control.endswith("K"):
                assert control == "\x1b[2K"
                self.lines[self._row] = ""
            elif shown:
                line = self.lines[self._row].ljust(self._column)
                end = self._column + len(shown)
                self.lines[self._row] = line[: self._column] + shown + line[end:]
                self._column = end
            else:
                assert control.endswith("m"), control
