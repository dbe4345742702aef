"""Which program is started by a name: never one of the current directory."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ptx_ls.toolchain import disassembler, programs, ptxas

NAMES = ["ptxas", "nvdisasm", "cuobjdump"]


@pytest.fixture(autouse=True)
def in_a_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes a folder with programs in it the current directory."""
    for directory in ("workspace", "workspace/bin", "system"):
        for name in NAMES:
            program(tmp_path / directory / programs.file_name(name))
    monkeypatch.chdir(tmp_path / "workspace")
    for variable in ("PTX_LS_PTXAS", "CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("sysconfig.get_path", lambda _key: str(tmp_path / "nothing"))


def program(path: Path) -> Path:
    """A new file that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def check_found(monkeypatch: pytest.MonkeyPatch, entries: list[str], expected: Path | None) -> None:
    """Checks where each program is found when `PATH` has some entries."""
    monkeypatch.setenv("PATH", os.pathsep.join(entries))
    names = [expected / programs.file_name(name) if expected else None for name in NAMES]
    assert [programs.on_path(name) for name in NAMES] == names
    assert [programs.chosen(name) for name in NAMES] == names
    assert ptxas.find() == names[0]
    assert disassembler.find(Path("/nothing/ptxas")) == names[1]


@pytest.mark.parametrize("entries", [[""], ["."], ["bin"], ["..", "./bin", ""], []])
def test_the_current_directory(monkeypatch: pytest.MonkeyPatch, entries: list[str]) -> None:
    check_found(monkeypatch, entries, None)


def test_absolute_directories(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    system = tmp_path / "system"
    check_found(monkeypatch, ["", ".", "bin", str(tmp_path / "no"), str(system)], system)


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such permission there")
def test_a_file_that_cannot_be_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / "system" / name).chmod(0o644)
    check_found(monkeypatch, [str(tmp_path / "system")], None)


def test_what_a_setting_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "system"))
    path = tmp_path / "workspace" / "bin" / programs.file_name("ptxas")
    assert programs.chosen(str(path)) == path
    for relative in ("bin/ptxas", "./ptxas", "../workspace/ptxas"):
        named = str(Path(relative).with_name(programs.file_name("ptxas")))
        found = programs.chosen(named)
        assert found in (None, tmp_path / "system" / programs.file_name("ptxas"))
    assert programs.chosen(str(tmp_path / "missing")) is None
