"""Work in several processes."""

import os
import sys
from collections.abc import Callable

import pytest

from ptx_ls.cli import pool
from ptx_ls.cli.inputs import Input

pytestmark = pytest.mark.slow


def check_reports(work: Callable[[Input], str], *expected: str) -> None:
    files = [Input(path, 1_000_000) for path in "abc"]
    with pool.running(files, work, lambda file: f"lost {file.path}", 2) as reports:
        assert list(reports) == list(expected)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked")
def test_the_work_is_not_sent_with_each_file() -> None:
    check_reports(lambda file: file.path.upper(), "A", "B", "C")  # a lambda cannot be sent


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked")
@pytest.mark.parametrize("n_allowed", [0, 1])
def test_a_limit_on_processes(monkeypatch: pytest.MonkeyPatch, n_allowed: int) -> None:
    fork, n_forks = os.fork, 0

    def limited() -> int:
        nonlocal n_forks
        n_forks += 1
        if n_forks > n_allowed:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return fork()

    monkeypatch.setattr(os, "fork", limited)
    check_reports(lambda file: file.path.upper(), "A", "B", "C")


def test_a_limit_on_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(os, "pipe", refuse)
    check_reports(lambda file: file.path.upper(), "A", "B", "C")
