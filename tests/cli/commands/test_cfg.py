import os
from pathlib import Path

import pytest

from ptx_ls.cli.main import main

MODULE = """\
.version 8.0
.target sm_90
.address_size 64
.extern .func printf();
.visible .entry _Z5saxpyv()
{
    ret;
}
.visible .entry _Z4scalv()
{
    exit;
}
"""


class Check:
    """Runs `ptx-ls cfg` in a directory with a module of two kernels, and returns its output."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str, status: int = 0, err: str = "") -> str:
        assert main(("cfg", *arguments)) == status
        printed = self._capsys.readouterr()
        assert printed.err == (f"ptx-ls: {err}\n" if err else "")
        return printed.out


@pytest.fixture
def check_cfg(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Check:
    monkeypatch.chdir(tmp_path)
    Path("two.ptx").write_text(MODULE, encoding="utf-8")
    Path("one.ptx").write_text(".entry k()\n{\n  ret;\n}\n", encoding="utf-8")
    return Check(capsys)


def test_the_picture_of_the_only_function(check_cfg: Check) -> None:
    picture = check_cfg("one.ptx")
    assert picture.startswith("<svg")
    assert ">k</text>" in picture
    assert check_cfg("one.ptx", "--format", "dot").startswith('digraph "k" {')


@pytest.mark.parametrize("name", ["_Z5saxpyv", "saxpy()", "sax"])
def test_a_function_by_name(check_cfg: Check, name: str) -> None:
    assert ">saxpy()</text>" in check_cfg("two.ptx", "--function", name)


def test_output_to_a_file(check_cfg: Check) -> None:
    for output, start in (("k.svg", "<svg"), ("k.dot", "digraph"), ("k.GV", "digraph")):
        assert not check_cfg("one.ptx", "-o", output)
        assert Path(output).read_text("utf-8").startswith(start)
    assert not check_cfg("one.ptx", "--format", "svg", "-o", "k.dot")
    assert Path("k.dot").read_text("utf-8").startswith("<svg")


@pytest.mark.skipif(os.name == "nt", reason="links and modes are those of POSIX")
@pytest.mark.parametrize("output", ["one.ptx", "two.ptx", "./two.ptx", "link.svg", "hard.svg"])
def test_ptx_is_not_replaced_by_a_picture(check_cfg: Check, output: str) -> None:
    Path("link.svg").symlink_to("two.ptx")
    Path("hard.svg").hardlink_to("one.ptx")
    before = Path(output).read_bytes()
    why = f"{output}: not overwritten, because it is a PTX file"
    assert not check_cfg("one.ptx", "-o", output, status=2, err=why)
    assert Path(output).read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="links and modes are those of POSIX")
def test_an_older_picture_keeps_its_links_and_mode(check_cfg: Check) -> None:
    old, other = Path("old.svg"), Path("other.svg")
    old.write_text("<svg>", encoding="utf-8")
    old.chmod(0o640)
    other.hardlink_to(old)
    assert not check_cfg("one.ptx", "-o", "old.svg")
    assert old.samefile(other)
    assert old.stat().st_mode & 0o777 == 0o640
    old.chmod(0o440)
    why = "old.svg: read-only, so not changed"
    assert not check_cfg("two.ptx", "--function", "sax", "-o", "old.svg", status=2, err=why)
    assert ">k</text>" in old.read_text("utf-8")
    assert not check_cfg("one.ptx", "-o", os.devnull)


def test_what_cannot_be_drawn_is_told_in_a_line(check_cfg: Check) -> None:
    names = "_Z5saxpyv, _Z4scalv"
    refused = {
        (): "no files; name one, or `-` for standard input",
        ("one.ptx", "two.ptx"): "2 files; name one, or `-` for standard input",
        (".",): "`.` is a directory, expected one file",
        ("gone.ptx",): "gone.ptx: No such file or directory",
        ("two.ptx",): f"two.ptx: there are 2 functions; choose one with --function: {names}",
        ("two.ptx", "--function", "_Z"): (
            f"two.ptx: `_Z` is in the names of 2 functions; choose one with --function: {names}"
        ),
        ("two.ptx", "--function", "_Z5saxqyv"): (
            "two.ptx: no function `_Z5saxqyv` (did you mean `_Z5saxpyv`?); "
            f"the functions are {names}"
        ),
        ("one.ptx", "-o", "gone/k.svg"): "gone/k.svg: No such file or directory",
    }
    for arguments, message in refused.items():
        assert not check_cfg(*arguments, status=2, err=message)
    Path("none.ptx").write_text(".version 8.0\n", encoding="utf-8")
    assert not check_cfg("none.ptx", status=2, err="none.ptx: no function with a body")


def test_a_function_that_is_too_large(check_cfg: Check) -> None:
    body = "".join(f"L{number}: bra L{number};\n" for number in range(3001))
    Path("large.ptx").write_text(f".entry k()\n{{\n{body}}}\n", encoding="utf-8")
    why = "3002 blocks are too many for a picture; the limit is 3000"
    check_cfg("large.ptx", status=2, err=f"large.ptx: {why}; `--format dot` has no limit")
    assert check_cfg("large.ptx", "--format", "dot").count("loop of this block") == 3001
