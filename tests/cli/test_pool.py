"""Work in several processes."""

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
