"""Another program never finds the results of this one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ptx_ls import __version__
from ptx_ls.cli.cache import program

RECORD = "ptx_ls/a.py,sha256=AAAA,10\nptx_ls/__pycache__/a.pyc,,\n../../bin/ptx-ls,sha256=BBBB,9\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages in which ptx-ls is."""
    package = tmp_path / "ptx_ls"
    (package / "data").mkdir(parents=True)
    (package / "a.py").write_text("a = 1\n")
    (package / "data" / "b.toml").write_text("b = 1\n")
    (tmp_path / "parso").mkdir()
    (tmp_path / "parso-0.8.4.dist-info").mkdir()
    monkeypatch.setattr(program, "_PACKAGE", str(package))
    return tmp_path


def record(site: Path, text: str) -> None:
    folder = site / f"ptx_ls-{__version__}.dist-info"
    folder.mkdir(exist_ok=True)
    (folder / "RECORD").write_text(text)


def check_digest(change: Callable[[], object], *, is_another: bool = True) -> None:
    before = program.program_digest()
    change()
    assert (program.program_digest() != before) == is_another


def test_edited_file_of_a_checkout(site: Path) -> None:
    check_digest(lambda: (site / "ptx_ls" / "a.py").write_text("a = 23\n"))
    check_digest(lambda: os.utime(site / "ptx_ls" / "data" / "b.toml", (1, 1)))
    check_digest((site / "ptx_ls" / "data" / "c.toml").touch)
    check_digest((site / "ptx_ls" / "a.py").unlink)


def test_files_that_python_makes_do_not_count(site: Path) -> None:
    check_digest((site / "ptx_ls" / "__pycache__").mkdir, is_another=False)


def test_installed_package_is_the_same_on_another_machine(site: Path) -> None:
    record(site, RECORD)
    check_digest(lambda: os.utime(site / "ptx_ls" / "a.py", (1, 1)), is_another=False)
    check_digest(lambda: record(site, RECORD.replace("BBBB", "CCCC")), is_another=False)


def test_another_build_of_an_installed_package(site: Path) -> None:
    record(site, RECORD)
    check_digest(lambda: record(site, RECORD.replace("AAAA", "CCCC")))


def test_record_without_hashes_is_not_enough(site: Path) -> None:
    record(site, RECORD.replace("sha256=AAAA,10", ","))
    check_digest(lambda: (site / "ptx_ls" / "a.py").write_text("a = 23\n"))


def test_another_parser(site: Path) -> None:
    folder = site / "parso-0.8.4.dist-info"
    check_digest(lambda: folder.rename(site / "parso-0.8.5.dist-info"))


def test_package_in_an_archive(site: Path) -> None:
    shutil.rmtree(site / "ptx_ls")
    with pytest.raises(OSError, match="ptx_ls"):
        program.program_digest()
