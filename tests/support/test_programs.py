import os
from pathlib import Path

import pytest

from tests.support.programs import require_program


def check_missing(expected: type[BaseException]) -> None:
    with pytest.raises(expected, match="needs ptxas; install it with: pip install it"):
        require_program("ptxas", "pip install it", lambda _: None)


def test_program_found() -> None:
    found = require_program("ptxas", "pip install it", lambda name: f"/bin/{name}")
    assert found == Path("/bin/ptxas")


def test_missing_program_skips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    check_missing(pytest.skip.Exception)


def test_missing_program_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    check_missing(pytest.fail.Exception)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="runs a shell script")
def test_missing_package_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apt = tmp_path / "apt-get"
    apt.write_text(f'#!/bin/sh\nprintf "%s " "$@" >>"{tmp_path}/asked"\n')
    apt.chmod(0o755)
    monkeypatch.setattr(os, "getuid", lambda: 0)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.defpath}")

    def find(_name: str) -> Path | None:
        return apt if (tmp_path / "asked").exists() else None

    assert require_program("editor", "apt-get install editor editor-doc", find) == apt
    asked = (tmp_path / "asked").read_text()
    assert "update" in asked
    assert "install --yes editor editor-doc" in asked
