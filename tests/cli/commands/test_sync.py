"""`ptx-ls sync`: the synchronisation of files as text, as JSON and as a picture."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ptx_ls.cli.main import main

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
KERNEL = """\
.visible .entry {name}(.param .u64 from)
{{
    .reg .b64 %rd<2>;
    .shared .align 16 .b8 tile[64];
    ld.param.u64 %rd1, [from];
    cp.async.ca.shared.global [tile], [%rd1], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    ret;
}}
"""
PLAIN = ".visible .entry plain() { ret; }\n"


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    path = tmp_path / "kernels.ptx"
    path.write_text(HEAD + KERNEL.format(name="first") + KERNEL.format(name="second") + PLAIN)
    return path


def check_sync(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path, status: int = 0
) -> tuple[str, str]:
    """Runs the command, and returns its output and its errors."""
    assert main(["sync", *map(str, arguments)]) == status
    found = capsys.readouterr()
    return found.out, found.err


def test_text(kernels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = check_sync(capsys, "--function", "first", kernels)
    assert out == (
        f"first ({kernels}:4)\n"
        "  line  statement                  executed by  effect\n"
        "     9  cp.async.ca.shared.global  all threads  complete at line 11\n"
        "    10  cp.async.commit_group      all threads  commits line 9; 1 group in flight\n"
        "    11  cp.async.wait_group        all threads  completes line 9\n"
        "    12  bar.sync                   all threads  barrier 0, the whole block\n"
    )


def test_all_functions(kernels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = check_sync(capsys, kernels)
    assert [line.split(" (")[0] for line in out.splitlines() if line[:1].strip()] == [
        "first",
        "second",
        "plain",
    ]
    assert out.endswith("no synchronisation and no asynchronous operations\n")


def test_json(kernels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(check_sync(capsys, "--json", kernels)[0])
    assert [each["function"] for each in found] == ["first", "second", "plain"]
    assert [row["lines"] for row in found[0]["rows"]] == [[9], [10], [11], [12]]
    assert found[0]["rows"][0]["partners"] == [
        {"relation": "committed by", "row": 1, "certain": True},
        {"relation": "complete at", "row": 2, "certain": True},
    ]
    assert found[2]["rows"] == []


def test_picture(kernels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "picture.svg"
    options = "--output-format", "svg", "-o", picture
    check_sync(capsys, "--function", "second", *options, kernels)
    root = ET.parse(picture).getroot()  # noqa: S314  our own output
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "second"
    assert "2 functions" in check_sync(capsys, *options, kernels, status=2)[1]
    missing = check_sync(capsys, "--function", "plain", *options, kernels, status=2)[1]
    assert "no function whose name contains `plain` synchronises" in missing


def test_a_picture_of_an_unreadable_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "unreadable.ptx"
    path.write_text(f"{HEAD}.entry k() {{ bra; bar.sync 0; ret; }}")
    _, errors = check_sync(capsys, "--output-format", "svg", path, status=2)
    assert errors.startswith("ptx-ls: k: not analysed, because it is too large")


@pytest.mark.parametrize("text", ["", "ret;", f"{HEAD}.func f();", ".reg .b32 %r1;"])
def test_no_function(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.ptx"
    path.write_text(text)
    out, errors = check_sync(capsys, path, status=2)
    assert (out, errors) == ("", "ptx-ls: no function has a body\n")


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, errors = check_sync(capsys, tmp_path / "none.ptx", status=2)
    assert "none.ptx" in errors
    assert errors.count("\n") == 1
    broken = tmp_path / "broken.ptx"
    broken.write_text(f"{HEAD}.entry k() {{ bar.sync 0; this is not PTX;")
    out, _ = check_sync(capsys, broken)
    assert out.endswith(": not analysed, because it is too large or cannot be parsed completely\n")
