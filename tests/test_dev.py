import importlib.util
import json
import os
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    loader = SourceFileLoader("dev", str(Path(__file__).parents[1] / "dev"))
    spec = importlib.util.spec_from_loader("dev", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    loader.exec_module(module)
    return module


def provide(folder: Path, monkeypatch: pytest.MonkeyPatch, **programs: str) -> None:
    """Puts shell scripts on an otherwise empty PATH."""
    folder.mkdir()
    for name, script in programs.items():
        program = folder / name.replace("_", "-")
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_help_names_every_command(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main([]) == 0
    described = [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:]]
    assert described == list(dev.COMMANDS)
    assert {"lint", "serve", "test", "bench", "fix", "docs"} <= set(described)


def test_unknown_command(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main(["lnit"]) == 2
    assert "no command 'lnit'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["-q", "-n", "3", "--dist=worksteal"]),
        (["--quick"], ["-q", "-m", "not slow", "-n", "3", "--dist=worksteal"]),
        (["-k", "hover"], ["-q", "-k", "hover"]),
        (["--quick", "tests/lint"], ["-q", "-m", "not slow", "tests/lint"]),
    ],
)
def test_arguments_of_the_tests(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: list[str]
) -> None:
    commands: list[list[str]] = []

    def call(command: list[str], **_settings: object) -> int:
        commands.append(command)
        return 0

    monkeypatch.setattr(dev, "install", lambda _extra: None)
    monkeypatch.setattr(dev.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(dev.subprocess, "call", call)
    assert dev.main(["test", *arguments]) == 0
    assert commands[-1][1:] == expected


EXTRACT = """
for folder; do :; done
/bin/mkdir -p "$folder/usr/share/python-wheels"
echo wheel > "$folder/usr/share/python-wheels/pip-1.0-py3-none-any.whl"
"""
DOWNLOAD = """
case "$*" in
*update) : > "$0.updated" ;;
*) test -e "$0.updated" || exit 100; echo package > python3-pip-whl_1.deb ;;
esac
"""
needs_shell = pytest.mark.skipif(os.name != "posix", reason="runs shell scripts")


@pytest.mark.slow
@needs_shell
def test_pip_comes_from_the_system(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    provide(tmp_path / "bin", monkeypatch, apt_get=DOWNLOAD, dpkg_deb=EXTRACT)
    monkeypatch.setattr(dev, "VENV", tmp_path)
    wheel = dev.unpack_pip()
    assert wheel == tmp_path / "pip-1.0-py3-none-any.whl"
    assert wheel.read_text() == "wheel\n"


@pytest.mark.slow
@needs_shell
@pytest.mark.parametrize(
    ("programs", "reason"),
    [
        ({}, "apt-get"),
        ({"apt_get": "echo no network; exit 100"}, "no network"),
        ({"apt_get": "exit 0", "dpkg_deb": "exit 0"}, "fetching it failed"),
    ],
)
def test_no_pip_anywhere(
    dev: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    programs: dict[str, str],
    reason: str,
) -> None:
    def create(_extra: str) -> None:
        dev.unpack_pip()

    provide(tmp_path / "bin", monkeypatch, **programs)
    monkeypatch.setattr(dev, "install", create)
    assert dev.main(["lint"]) == 3
    message = capsys.readouterr().err
    assert reason in message
    assert "python3-venv" in message


def test_old_python_without_a_newer_one(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev.sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(dev.shutil, "which", lambda _name: None)
    assert dev.main(["lint"]) == 3
    assert "needs Python 3.11 or newer, but python3 is 3.9.2" in capsys.readouterr().err


def test_old_python_starts_the_newest(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(dev.sys, "version_info", (3, 9, 2))
    newer = {"python3.11": "/bin/python3.11", "python3.13": "/bin/python3.13"}
    monkeypatch.setattr(dev.shutil, "which", newer.get)

    def start(program: str, _arguments: list[str]) -> None:
        started.append([program])
        raise SystemExit

    monkeypatch.setattr(dev.os, "execv", start)
    with pytest.raises(SystemExit):
        dev.main(["lint"])
    assert started == [["/bin/python3.13"]]


def test_an_extra_is_installed_once_until_its_sources_change(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commands: list[list[str]] = []
    python = tmp_path / "python"
    python.touch()
    names = ("pyproject.toml", "hatch_build.py", "ptx_ls/syntax/inner_loops/keys.c")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one")
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "PYTHON", python)
    monkeypatch.setattr(dev, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(dev, "check", commands.append)
    monkeypatch.setattr(dev, "provide_pip", lambda: None)

    for extra in ("dev", "dev", "", "bench"):
        dev.install(extra)
    assert [command[-1] for command in commands] == [f"{tmp_path}[dev]", f"{tmp_path}[bench]"]
    for name in names:
        commands.clear()
        (tmp_path / name).write_text("two")
        dev.install("")
        dev.install("dev")
        assert [command[-1] for command in commands] == [f"{tmp_path}", f"{tmp_path}[dev]"], name
    commands.clear()
    monkeypatch.setenv("PTX_LS_PURE", "1")
    dev.install("")
    assert [command[-1] for command in commands] == [f"{tmp_path}"]


def test_clean_removes_what_was_compiled(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = tmp_path / "ptx_ls" / "syntax" / "scanner.py"
    source.parent.mkdir(parents=True)
    for name in ("scanner.py", "_scanner.abi3.so", "_scanner.pyd"):
        source.with_name(name).touch()
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "VENV", tmp_path / ".venv")
    assert dev.main(["clean"]) == 0
    assert list(source.parent.iterdir()) == [source]


def test_a_moved_folder_starts_over(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    created: list[bool] = []
    (tmp_path / "python").touch()
    stamp = {"": dev.fingerprint(), "place": "/elsewhere/.venv"}
    (tmp_path / "stamp").write_text(json.dumps(stamp))
    monkeypatch.setattr(dev, "PYTHON", tmp_path / "python")
    monkeypatch.setattr(dev, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(dev, "check", lambda _command: None)
    monkeypatch.setattr(dev, "provide_pip", lambda: None)
    monkeypatch.setattr(dev, "create_venv", lambda: created.append(True))
    dev.install("")
    assert created == [True]
