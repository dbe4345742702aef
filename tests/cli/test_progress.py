import io
import sys
import time

import pytest

from ptx_ls.cli import progress
from ptx_ls.cli.progress import ProgressBar


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
        while is_wanted and stream.isatty() and "5" not in stream.getvalue():
            assert time.monotonic() < give_up
            time.sleep(0.001)
        shown.erase()
    return stream.getvalue()


def test_a_long_run_is_shown_and_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    written = check_shown(monkeypatch, Terminal(), is_wanted=True)
    assert "Linting for 0 s, 5 of 9 files done" in written
    assert written.endswith("\r\x1b[K")


def test_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_shown(monkeypatch, Pipe(), is_wanted=True) == ""


def test_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_shown(monkeypatch, Terminal(), is_wanted=False) == ""


def test_a_short_run_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with ProgressBar(9) as shown:
        shown.erase()
    assert stream.getvalue() == ""
