"""The packaged extension in the oldest and the newest VS Code, seen by a real browser.

The tests themselves are those of vscode-extension/tests/editor, which run inside VS Code.
Pictures of what was seen are left in tests/editors/pictures.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from ptx_ls.toolchain.ptxas import find
from tests.editors import vscode_setup
from tests.editors.sessions import HERE
from tests.editors.vscode_setup import EXTENSION, NEWEST, OLDEST, Release

pytestmark = pytest.mark.slow

PATIENCE: Final = 600
"""Seconds for all tests in one VS Code on a busy machine."""
GRACE: Final = 10
"""Seconds in which they end."""


def programs(folder: Path) -> Path:
    """A folder with the Python that runs the server, one without this environment, and ptxas."""
    folder.mkdir()
    for name, program in {
        "python3": Path(sys.base_prefix, "bin", "python3"),
        "ptxas": find(),
    }.items():
        if program is not None:
            (folder / name).write_text(f'#!/bin/sh\nexec "{program}" "$@"\n')
            (folder / name).chmod(0o755)
    return folder


def session(release: Release, folder: Path) -> Iterator[dict[str, Any]]:
    """The output of the tests, line by line."""
    with vscode_setup.locked():
        place, vsix = vscode_setup.vscode(release), vscode_setup.vsix()
        environment = vscode_setup.tools() and vscode_setup.node(release.node)
        browser = vscode_setup.browser()
    pictures = HERE / "pictures" / f"vscode-{release.vscode}"
    shutil.rmtree(pictures, ignore_errors=True)
    options = {"vscode": place, "vsix": vsix, "browser": browser, "pictures": pictures}
    arguments = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    path = f"{programs(folder / 'bin')}{os.pathsep}{environment['PATH']}"
    node = shutil.which("node", path=path)
    assert node is not None
    process = subprocess.Popen(
        [node, EXTENSION / "scripts" / "editor-tests.mjs", *arguments],
        env={**os.environ, **environment, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate(timeout=PATIENCE)
    finally:
        _end(process)
    for line in printed.splitlines():
        yield json.loads(line) if line.startswith("{") else {"failure": line}


@pytest.mark.parametrize("release", [OLDEST, NEWEST], ids=lambda release: release.vscode)
def test_vscode(release: Release, tmp_path: Path, subtests: pytest.Subtests) -> None:
    ended = None
    for told in session(release, tmp_path):
        assert "failure" not in told, told["failure"]
        if "test" in told:
            with subtests.test(told["test"], release=release.vscode):
                if told["skipped"]:
                    pytest.skip("something that it needs is missing")
                assert told["error"] is None, told["error"]
        else:
            ended = told
    assert ended is not None, "the tests came to no end"
    assert ended["complaints"] == []
    assert ended["status"] == 0


def test_the_oldest_version_is_the_one_that_the_manifest_asks_for() -> None:
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    assert manifest["engines"]["vscode"] == f"^{OLDEST.vscode}.0"
    assert manifest["devDependencies"]["@types/vscode"] == f"~{OLDEST.vscode}.0"


def _end(process: subprocess.Popen[str]) -> None:
    """Ends VS Code and the browser, should the session have been cut short."""
    for how in (signal.SIGTERM, signal.SIGKILL):  # the first one lets the browser be closed
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
