import os
import subprocess
import sys

import pytest

from ptx_ls.server.client_state.parent_process import Watched


def check_gone(watched: Watched, *, expected: bool) -> None:
    assert watched.is_gone() is expected


@pytest.mark.slow
def test_a_process_that_ends_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        watched = Watched(process.pid)
        check_gone(watched, expected=False)
        process.communicate(b"\n")
        process.wait()
        check_gone(watched, expected=True)


def test_a_process_that_was_never_there_is_not_gone() -> None:
    # The number may be from outside of a container.
    for process_id in (2**22 + 12345, 2**80, 0, -1):
        check_gone(Watched(process_id), expected=False)


def test_the_own_parent_is_there() -> None:
    check_gone(Watched(os.getppid()), expected=False)
