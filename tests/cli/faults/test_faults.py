"""Every fault of docs/faults.md is tried with every command of its row."""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("faults as Linux has them", allow_module_level=True)

from docs.generators import faults
from tests.cli.faults.running import run
from tests.cli.faults.table import (
    DEFAULT,
    FAULTS,
    FIXED,
    FORMATTED,
    INCIDENTS,
    UNTIDY,
    Fault,
    Incident,
    Outcome,
    Setting,
)

ATTEMPTS = [(each, command) for each in FAULTS for command in each.outcomes]
Contents = dict[str, tuple[int, bytes]]


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder, with a path that is not much longer than the names in it."""
    path = Path(tempfile.mkdtemp(prefix="faults-"))
    yield path
    for place, folders, _ in os.walk(path):
        for name in folders:
            with suppress(OSError):  # the path is too long
                (Path(place) / name).chmod(0o755)
    shutil.rmtree(path)


def check_fault(case: Fault, command: str, folder: Path) -> None:
    """Tries a command on a faulty file, and on another one."""
    outcome = case.outcomes[command]
    setting = case.prepare(folder) or DEFAULT
    (folder / "other.ptx").write_text(UNTIDY)
    before = contents(folder)
    done = run(command, folder, setting, "other.ptx")
    after = contents(folder)
    err = done.stderr.decode()
    message = outcome.message.replace("{folder}", str(folder))
    complaints = [line for line in err.splitlines() if line.startswith("ptx-ls: ")]
    assert complaints == ([f"ptx-ls: {message}"] if message else []), err
    assert "Traceback" not in err
    out = None if setting.stdout else done.stdout
    check_other(command, outcome, after.pop("other.ptx")[1], out)
    is_finding = command == "lint" and not outcome.ends_run
    assert done.returncode == max(outcome.status, is_finding), err
    check_files(case, outcome, setting, before, after)


def check_other(command: str, outcome: Outcome, content: bytes, out: bytes | None) -> None:
    """Checks that the other file was processed, unless the fault ends the run."""
    expected = {"lint": UNTIDY, "lint --fix": FIXED, "format": FORMATTED}[command]
    assert content.decode() == (UNTIDY if outcome.ends_run else expected)
    if command == "lint" and out is not None and not outcome.ends_run:
        assert b" --> other.ptx:" in out


def check_files(
    case: Fault, outcome: Outcome, setting: Setting, before: Contents, after: Contents
) -> None:
    """Checks that only what should be written was, and that nothing was left."""
    del before["other.ptx"]
    if case.name == "removed_meanwhile":
        del before["a.ptx"]
    assert before.keys() == after.keys()
    changed = {name for name in before if before[name] != after[name]}
    if outcome.is_written:
        (path,) = setting.arguments
        expected = {"d/b.ptx"} if case.name == "symbolic_link" else {path}
        assert changed == expected
        for name in changed:
            assert before[name][0] == after[name][0]
            assert normal(before[name][1]) == normal(after[name][1])
    elif case.name == "changed_meanwhile":
        assert after["a.ptx"][1] == before["a.ptx"][1] + b"// an editor"
    else:
        assert not changed


def normal(content: bytes) -> bytes:
    """The text without what fixes and formatting change."""
    return re.sub(rb"\s+|\.sync|^\xef\xbb\xbf", b"", content)


def contents(folder: Path) -> Contents:
    """The mode and the content of all that is in a folder."""
    found: Contents = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place) / name
            try:
                mode = path.lstat().st_mode
            except OSError:  # the path is too long
                continue
            content = b""
            if stat.S_ISREG(mode):
                content = path.read_bytes()
            elif stat.S_ISLNK(mode):
                content = os.fsencode(path.readlink())
            found[str(path.relative_to(folder))] = mode, content
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "command"), ATTEMPTS, ids=[f"{each.name}-{name}" for each, name in ATTEMPTS]
)
def test_fault(case: Fault, command: str, folder: Path) -> None:
    check_fault(case, command, folder)


@pytest.mark.slow
@pytest.mark.parametrize("case", INCIDENTS, ids=lambda case: case.attempt.__name__)
def test_incident(case: Incident, folder: Path) -> None:
    case.attempt(folder)


def test_names_are_unique() -> None:
    names = [each.name for each in FAULTS]
    assert len(set(names)) == len(names)


def test_the_page_has_every_fault() -> None:
    page = faults.page()
    assert page == faults.PAGE.read_text("utf-8"), "run ./dev docs"
    assert all(each.about in page for each in FAULTS)
    assert all(each.about in page for each in INCIDENTS)
