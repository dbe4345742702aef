"""Random changes of files, folders, settings and open documents: all is as for a server anew."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.server.random_workspace import RandomWorkspace

pytestmark = pytest.mark.slow

_TRIES = 10


def check_alike(workspace: RandomWorkspace) -> None:
    """Checks that a server that is begun now gives the same answers, soon at the latest."""
    with workspace.begun_now() as anew:
        pushed: dict[str, Any] = {}
        for _ in range(_TRIES):
            expected = workspace.answers(anew, pushed)
            found = workspace.answers(workspace.live, workspace.pushed)
            if found == expected:
                return
            time.sleep(1)  # settings and diagnostics may still be on their way
    assert found == expected


@pytest.mark.parametrize(("seed", "pulls"), [(18, True), (42, False)])
def test_random_changes(tmp_path: Path, seed: int, *, pulls: bool) -> None:
    with RandomWorkspace(tmp_path, seed, pulls=pulls) as workspace:
        for _ in range(3):
            for _ in range(20):
                workspace.step()
            check_alike(workspace)
        log = workspace.leave().splitlines()
    assert [line for line in log if "No such file or directory" not in line] == []
