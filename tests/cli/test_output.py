"""All commands take the same options for the format of their output, and for its file."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ptx_ls.cli.main import main

MODULE = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(){bar.sync 0;ret;}\n"
COMMANDS = (
    ("rules",),
    ("explain", "operand-width"),
    ("explain", "stack", "size"),
    ("isa", "%tid"),
    ("isa", "--stats"),
    ("isa", "--category", "texture"),
    ("isa", "async", "proxy"),
    ("requirements", "k.ptx"),
    ("diff", "k.ptx", "k.ptx"),
)
LINT = ("lint", "k.ptx")  # it has no `-o`, because several reports go to files
PICTURE = ("cfg", "k.ptx")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.ptx").write_text(MODULE, encoding="utf-8")


def check_output(
    capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0, err: str = ""
) -> str:
    """Runs a command, and returns what it prints."""
    assert main(arguments) == status
    printed = capsys.readouterr()
    assert err in printed.err
    return printed.out


@pytest.mark.parametrize("command", [*COMMANDS, LINT], ids=" ".join)
def test_json(command: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = check_output(capsys, *command, "--output-format", "json")
    assert json.loads(found) is not None
    assert check_output(capsys, *command, "--json") == found


@pytest.mark.parametrize("command", [*COMMANDS, PICTURE], ids=" ".join)
def test_a_file(command: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    expected = check_output(capsys, *command)
    assert not check_output(capsys, *command, "-o", "new.txt")
    assert Path("new.txt").read_text("utf-8") == expected


@pytest.mark.parametrize("command", [*COMMANDS, PICTURE], ids=" ".join)
def test_ptx_is_never_replaced(command: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    message = "ptx-ls: k.ptx: not overwritten, because it is a PTX file\n"
    assert not check_output(capsys, *command, "-o", "k.ptx", status=2, err=message)
    assert Path("k.ptx").read_text("utf-8") == MODULE


def test_a_folder_that_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    message = "ptx-ls: missing/f: No such file or directory\n"
    check_output(capsys, "rules", "-o", "missing/f", status=2, err=message)


def test_the_files_of_a_check(capsys: pytest.CaptureFixture[str]) -> None:
    main(["format", "k.ptx"])
    Path("l.ptx").write_text(MODULE, encoding="utf-8")
    capsys.readouterr()
    arguments = ("format", "--check", ".")
    printed = check_output(capsys, *arguments, "--output-format", "json", status=1)
    assert check_output(capsys, *arguments, "--json", status=1) == printed
    assert json.loads(printed) == [
        {"path": "k.ptx", "is_formatted": True},
        {"path": "l.ptx", "is_formatted": False},
    ]


def test_only_a_check_has_files(capsys: pytest.CaptureFixture[str]) -> None:
    message = "--output-format json requires --check"
    check_output(capsys, "format", "--output-format", "json", ".", status=2, err=message)
