import gc
import io
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ptx_ls import __version__, lint
from ptx_ls.cli.main import main
from ptx_ls.document.document import Document
from ptx_ls.source import Diagnostic, Range, Severity


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lint, "lint", as_the_text_says)
    yield
    gc.enable()  # the command leaves it switched off


def as_the_text_says(document: Document, *_: object, **__: object) -> list[Diagnostic]:
    """A linter whose diagnostics are the names of severities in a text."""
    found = []
    for number, line in enumerate(document.lines):
        word = line.strip()
        if word == "stumble":
            raise RuntimeError("over\nits own feet")
        if word == "too much":
            raise MemoryError
        if word:
            span = Range.on_line(number, 0, len(word))
            found.append(Diagnostic(span, "unknown-opcode", Severity(word), f"an {word}"))
    return found


class Check:
    """Runs commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, arguments: Sequence[str], status: int, out: str = "", err: str = "") -> None:
        assert main(arguments) == status
        assert self._capsys.readouterr() == (out, err)


@pytest.fixture
def check_command(capsys: pytest.CaptureFixture[str]) -> Check:
    return Check(capsys)


def create(name: str, *words: str) -> None:
    Path(name).write_text("".join(f"{word}\n" for word in words), "utf-8")


NOT_THERE = "ptx-ls: missing.ptx: No such file or directory\n"
SAYS_SO = "a.ptx:1:1: {0}: an {0} [unknown-opcode]\n"


def test_version(check_command: Check) -> None:
    check_command(["--version"], 0, f"ptx-ls {__version__}\n")
    check_command(["-V"], 0, f"ptx-ls {__version__}\n")


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {command} " in out for command in ("lint", "explain", "rules", "serve"))


def test_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[0]) == ("", "usage: ptx-ls COMMAND [ARGUMENT...]")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lnt", "unknown command `lnt` (did you mean `lint`?); see `ptx-ls --help`"),
        ("xyz", "unknown command `xyz`; see `ptx-ls --help`"),
        ("a.ptx", "unknown command `a.ptx`; did you mean `ptx-ls lint a.ptx`?"),
        ("-", "unknown command `-`; did you mean `ptx-ls lint -`?"),
        (
            "--verson",
            "unknown option `--verson` (did you mean `--version`?); see `ptx-ls --help`",
        ),
    ],
)
def test_unknown_command(check_command: Check, name: str, message: str) -> None:
    check_command([name], 2, err=f"ptx-ls: {message}\n")


def test_without_a_path_the_current_directory_is_linted(check_command: Check) -> None:
    create("a.ptx", "error")
    create("b.txt", "error")
    command = ["lint", "--output-format", "concise", "-q"]
    found = "a.ptx:1:1: error: an error [unknown-opcode]\n"
    check_command(command, 1, found)
    check_command([*command, "--"], 1, found)


def test_files_that_would_be_linted(check_command: Check) -> None:
    create("a.ptx", "error")
    create("b.ptx", "stumble")
    check_command(["lint", "--show-files"], 0, "a.ptx\nb.ptx\n")
    check_command(
        ["lint", "--show-files", "a.ptx", "c.ptx"],
        2,
        "a.ptx\n",
        "ptx-ls: c.ptx: No such file or directory\n",
    )


def test_exit_zero(check_command: Check) -> None:
    create("a.ptx", "error")
    command = ["lint", "a.ptx", "--exit-zero", "--output-format", "concise", "-q"]
    check_command(command, 0, SAYS_SO.format("error"))
    check_command([*command, "missing.ptx"], 2, SAYS_SO.format("error"), NOT_THERE)


def test_statistics(check_command: Check) -> None:
    create("a.ptx", "error", "warning")
    command = ["lint", "a.ptx", "--statistics", "-q"]
    check_command(command, 1, "2  unknown-opcode\n")
    expected = '[\n{"rule": "unknown-opcode", "count": 2}\n]\n'
    check_command([*command, "--output-format", "json"], 1, expected)
    check_command([*command, "--output-format", "jsonl"], 1, expected[2:-3] + "\n")


def test_path_that_looks_like_an_option(check_command: Check) -> None:
    create("-q")
    check_command(["lint", "--", "-q"], 0, err="Found no problems in 1 file\n")


@pytest.mark.parametrize(
    ("fail_on", "failing"),
    [
        ("error", {"error"}),
        ("warning", {"error", "warning"}),
        ("information", {"error", "warning", "information"}),
        ("hint", {"error", "warning", "information", "hint"}),
        ("never", set()),
    ],
)
def test_severity_that_fails(check_command: Check, fail_on: str, failing: set[str]) -> None:
    for severity in Severity:
        create("a.ptx", severity.value)
        arguments = ["lint", "a.ptx", "-q", "--output-format", "concise", "--fail-on", fail_on]
        arguments += ["--severity", "hint"]
        check_command(arguments, int(severity.value in failing), SAYS_SO.format(severity.value))


def test_errors_fail_by_default(check_command: Check) -> None:
    create("a.ptx", "warning")
    arguments = ["lint", "-q", "--output-format=concise", "a.ptx"]
    check_command(arguments, 0, SAYS_SO.format("warning"))
    create("a.ptx", "error")
    check_command(arguments, 1, SAYS_SO.format("error"))


def test_summary_counts_by_severity(capsys: pytest.CaptureFixture[str]) -> None:
    create("a.ptx", "error", "error", "warning")
    create("b.ptx", "information", "information", "hint")
    create("c.ptx")
    assert main(["lint", ".", "--severity", "hint"]) == 1
    assert (
        capsys.readouterr().err
        == "Found 2 errors, 1 warning, 2 information messages, 1 hint in 2 files (3 checked)\n"
    )
    assert main(["lint", ".", "--severity", "error"]) == 1
    assert (
        capsys.readouterr().err == "Found 2 errors in 1 file (3 checked);"
        " 1 warning, 2 information messages, 1 hint not shown, see --severity\n"
    )


def test_hints_are_for_editors(check_command: Check) -> None:
    create("a.ptx", "hint")
    err = "Found no problems in 1 file; 1 hint not shown, see --severity\n"
    check_command(["lint", "a.ptx"], 0, err=err)
    check_command(["lint", "a.ptx", "--output-format", "json"], 0, "[]\n")


def test_what_makes_the_command_fail_is_reported(check_command: Check) -> None:
    create("a.ptx", "hint")
    arguments = ["lint", "a.ptx", "--output-format", "concise", "-q", "--fail-on", "hint"]
    check_command(arguments, 1, SAYS_SO.format("hint"))


def test_json_is_one_array(check_command: Check, capsys: pytest.CaptureFixture[str]) -> None:
    create("a.ptx")
    arguments = ["lint", "--output-format", "json", "--severity", "hint"]
    check_command([*arguments, "a.ptx"], 0, "[]\n")
    create("b.ptx", "hint")
    create("c.ptx", "hint", "hint")
    assert main([*arguments, "b.ptx", "c.ptx"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(it["path"], it["line"]) for it in found] == [("b.ptx", 1), ("c.ptx", 1), ("c.ptx", 2)]


def test_unreadable_files_do_not_stop_the_others(check_command: Check) -> None:
    Path("a.ptx").write_bytes(b"\x7fELF\0")
    Path("c.ptx").write_bytes("\ufeffret;".encode("utf-16-le"))
    create("d.ptx", "error")
    Path("e").mkdir()
    check_command(
        ["lint", ".", "nope.ptx", "e", "--output-format", "concise"],
        2,
        "d.ptx:1:1: error: an error [unknown-opcode]\n",
        "ptx-ls: a.ptx: an ELF file; `cuobjdump -ptx FILE` prints the PTX in it\n"
        "ptx-ls: c.ptx: encoded as UTF-16, but PTX must be ASCII or UTF-8;"
        " `iconv -f UTF-16 -t UTF-8 FILE` converts it\n"
        "ptx-ls: nope.ptx: No such file or directory\n"
        "ptx-ls: e: no .ptx file in this directory\n"
        "Found 1 error in 1 file (1 checked)\n",
    )


def test_byte_order_mark_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ptx").write_bytes(b"\xef\xbb\xbfwarning\n")
    assert main(["lint", "a.ptx", "--output-format", "concise"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("a.ptx:1:1: error: byte order mark")
    assert second == "a.ptx:1:1: warning: an warning [unknown-opcode]"


def test_a_fault_of_ours_does_not_stop_the_others(check_command: Check) -> None:
    create("a.ptx", "stumble")
    create("b.ptx", "too much")
    create("c.ptx", "error")
    check_command(
        ["lint", ".", "nope.ptx", "--output-format", "concise"],
        3,
        "c.ptx:1:1: error: an error [unknown-opcode]\n",
        "ptx-ls: a.ptx: internal error: RuntimeError: over; please report it as a bug in ptx-ls"
        " (PTX_LS_DEBUG=1 shows where it happened)\n"
        "ptx-ls: b.ptx: not enough memory\n"
        "ptx-ls: nope.ptx: No such file or directory\n"
        "Found 1 error in 1 file (1 checked)\n",
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the current directory")
def test_without_a_current_directory(check_command: Check) -> None:
    folder = Path("gone").absolute()
    folder.mkdir()
    os.chdir(folder)
    folder.rmdir()
    message = "ptx-ls: the current directory no longer exists\n"
    check_command(["lint", "../a.ptx"], 2, err=message)


def test_a_complaint_is_one_line(check_command: Check) -> None:
    message = "ptx-ls: unknown option `--a\\nb`; see `ptx-ls lint --help`\n"
    check_command(["lint", "--a\nb"], 2, err=message)


def test_listed_standard_input_is_not_fixed(
    check_command: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    create("list", "-")
    message = "ptx-ls: --fix changes files, but standard input is not a file\n"
    check_command(["lint", "--fix", "@list"], 2, err=message)


def test_a_fault_outside_of_any_file(check_command: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptx_ls.cli.inputs.find", lambda *_, **__: 1 // 0)
    check_command(
        ["lint", "."],
        3,
        err="ptx-ls: internal error: ZeroDivisionError: integer division or modulo by zero;"
        " please report it as a bug in ptx-ls (PTX_LS_DEBUG=1 shows where it happened)\n",
    )
