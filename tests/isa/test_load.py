"""The compiled database: it matches its sources, and a damaged or missing file is rebuilt."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ptx_ls import isa
from ptx_ls.isa import load
from ptx_ls.isa.database import Database
from ptx_ls.isa.model import Instruction
from ptx_ls.isa.notation.build import build
from ptx_ls.isa.notation.compiler import IsaDataError, compile_instruction
from ptx_ls.isa.notation.form_entries import SharedDefinitions


def check_opens(content: bytes, monkeypatch: pytest.MonkeyPatch, directory: Path) -> bytes:
    """The files in the cache after opening with `content` there."""
    path = directory / "compiled"
    path.write_bytes(content)
    monkeypatch.setattr(load, "COMPILED_NAME", str(path))
    monkeypatch.setattr(load, "_cache_paths", list)
    assert load.open_compiled().index["instructions"].keys() == isa.database().opcodes
    return path.read_bytes()


@pytest.mark.slow
def test_damaged_file_is_rebuilt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    good = check_opens(b"", monkeypatch, tmp_path)
    assert check_opens(good[:200], monkeypatch, tmp_path) == good


@pytest.mark.slow
def test_stale_file_is_rebuilt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stale = build(Path(load.DATA_DIRECTORY), (("add.toml", 1, 1),))
    assert check_opens(stale, monkeypatch, tmp_path) != stale


def test_final_file_is_not_compared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    final = build(Path(load.DATA_DIRECTORY), None)
    assert check_opens(final, monkeypatch, tmp_path) == final


def test_no_data_file_has_a_mistake() -> None:
    assert isa.database().errors == ()


def test_every_table_can_be_read() -> None:
    database = isa.database()
    for name in database.opcodes:
        instruction = database.instruction(name)
        assert instruction is not None
        assert instruction.summary
        assert instruction.forms
    assert database.types[".u32"].bits == 32
    assert database.versions[(9, 5)].release == "CUDA 13.5"
    assert database.targets["sm_90a"].since == (8, 0)
    assert ".global" in database.state_spaces
    assert "tcgen05" in database.keywords


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"id": "x", "syntax": "add.type d", "ops": {"d": "reg .typ"}}, "typ"),
        ({"id": "x", "syntax": "add d", "ops": {}}, "no entry in ops"),
        ({"id": "x", "syntax": "add", "rules": [".a => .b"]}, "unknown slot"),
        ({"id": "x", "syntax": "add", "gate": ["from 8.0"]}, "cannot read the gate"),
        ({"id": "x", "syntax": "add", "rule": []}, "unknown key"),
        ({"id": "x", "syntax": "sub"}, "begins with"),
    ],
)
def test_mistakes_are_named(form: dict[str, object], message: str) -> None:
    with pytest.raises(IsaDataError, match=message):
        compile_instruction({"name": "add", "form": [form]}, SharedDefinitions())


def test_threads_share_the_forms_of_an_instruction(monkeypatch: pytest.MonkeyPatch) -> None:
    """A form is found by identity, so a second copy would be unknown to the first instruction."""
    database = Database(load.open_compiled())
    read = load.CompiledFile.block
    other: list[Instruction | None] = []

    def block(compiled: load.CompiledFile, position: tuple[int, int]) -> object:
        if not other:
            other.append(None)
            other.append(database.instruction("add"))  # as another thread may do meanwhile
        return read(compiled, position)

    monkeypatch.setattr(load.CompiledFile, "block", block)
    assert database.instruction("add") is other[1] is database.instruction("add")


def test_threads_open_the_database_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow() -> load.CompiledFile:
        time.sleep(0.05)
        return load.open_compiled()

    module = sys.modules[Database.__module__]  # its name in the package is that of a function
    monkeypatch.setattr(module, "_database", None)
    monkeypatch.setattr(module, "open_compiled", slow)
    with ThreadPoolExecutor(4) as threads:
        found = [each.result() for each in [threads.submit(isa.database) for _ in range(4)]]
    assert len(set(map(id, found))) == 1
