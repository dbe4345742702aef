"""The scanner in a wheel, with and without a compiler."""

import importlib.util
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from typing import Any

import pytest

import hatch_build
from ptx_ls.syntax import scanner
from tests.support.reading import can_compile

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("PTX_LS_PURE", raising=False)
    monkeypatch.setattr(hatch_build, "_isa_data", lambda _root: b"data")


def check_wheel(root: Path, version: str = "standard") -> dict[str, Any]:
    """The requests of the hook to hatchling for a wheel, without the paths of the build."""
    arguments: list[Any] = [str(root), {}, None, None, "", "wheel"]
    hook = hatch_build.BuildHook(*arguments)
    data: dict[str, Any] = {"force_include": {}, "pure_python": True}
    hook.initialize(version, data)
    assert all(Path(source).is_file() for source in data["force_include"])
    hook.finalize(version, data, "")
    data["force_include"] = sorted(data["force_include"].values())
    return data


PURE = {"force_include": ["ptx_ls/isa/data/compiled.marshal"], "pure_python": True}


def test_a_wheel_with_the_scanner_runs_on_every_newer_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compile_scanner(_root: Path, scratch: Path) -> Path:
        (scratch / "_scanner.abi3.so").touch()
        return scratch / "_scanner.abi3.so"

    monkeypatch.setattr(hatch_build, "compile_scanner", compile_scanner)
    data = check_wheel(tmp_path)
    assert "ptx_ls/syntax/_scanner.abi3.so" in data["force_include"]
    assert not data["pure_python"]
    assert data["tag"].startswith("cp311-abi3-")
    assert set(data["tag"][len("cp311-abi3-") :]).isdisjoint("-.")


def test_a_pure_wheel_on_demand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PTX_LS_PURE", "1")
    assert check_wheel(ROOT) == PURE
    assert "without its scanner in C (PTX_LS_PURE is set)" in "".join(capsys.readouterr())


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["false", "no-such-compiler"])
def test_no_compiler_is_no_failure(
    compiler: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("CC", "LDSHARED"):
        monkeypatch.setenv(name, compiler)
    if not can_compile() and compiler == "false":
        pytest.skip("needs the program `false` and the headers of Python")
    assert check_wheel(ROOT) == PURE
    lines = "".join(capfd.readouterr()).splitlines()
    assert len([line for line in lines if "without its scanner in C" in line]) == 1


def test_an_editable_install_keeps_no_old_scanner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "ptx_ls" / "syntax"
    folder.mkdir(parents=True)
    built = tmp_path / "_scanner.abi3.so"
    built.write_text("new")
    monkeypatch.setattr(hatch_build, "compile_scanner", lambda _root, _scratch: built)
    for name in ("_scanner.abi3.so", "_scanner.cpython-311-darwin.so", "_scanner.pyd"):
        (folder / name).write_text("old")
    assert check_wheel(tmp_path, "editable") == {"force_include": [], "pure_python": True}
    assert [(path.name, path.read_text()) for path in folder.iterdir()] == [(built.name, "new")]
    monkeypatch.setenv("PTX_LS_PURE", "1")
    check_wheel(tmp_path, "editable")
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_what_is_compiled_knows_its_source(tmp_path: Path) -> None:
    if not can_compile():
        pytest.skip("needs a C compiler and the headers of Python")
    path = hatch_build.compile_scanner(ROOT, tmp_path)
    loader = ExtensionFileLoader("_scanner", str(path))
    spec = importlib.util.spec_from_file_location("_scanner", path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    assert module.source == scanner.SOURCE


def test_line_ends_do_not_change_the_source(tmp_path: Path) -> None:
    unix, windows = tmp_path / "unix", tmp_path / "windows"
    for folder, end in ((unix, b"\n"), (windows, b"\r\n")):
        folder.mkdir()
        (folder / "a.c").write_bytes(b"int a;" + end + b"int b;" + end)
    assert hatch_build.source_hash(unix) == hatch_build.source_hash(windows)
