"""Baselines: what they leave out, and how they change."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ptx_ls.cli.linting.baseline import Baseline, BaselineUse
from ptx_ls.cli.main import main
from ptx_ls.lint.identity import sites
from ptx_ls.syntax.tokens import tokenize

HEADER = ".version 8.5\n.target sm_90\n.address_size 64\n"
WRONG = HEADER + ".entry k() {\n.reg .b32 %r<9>;\nadd.lo.s32 %r1, %r2, %r3;\nrat;\nret;\n}\n"
KNOWN = "known.json"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def create(**files: str) -> None:
    for name, text in files.items():
        Path(f"{name}.ptx").write_text(text, "utf-8")


def update(**files: str) -> None:
    """Creates files, and makes their diagnostics known."""
    create(**files)
    names = [f"{name}.ptx" for name in files]
    assert main(["lint", *names, "--baseline", KNOWN, "--update-baseline", "-q"]) == 0


def check_baseline(
    capsys: pytest.CaptureFixture[str], arguments: str, status: int, *expected: str
) -> str:
    """Checks the status and the rules reported against the baseline; returns the other output."""
    capsys.readouterr()
    command = ["lint", "--baseline", KNOWN, "--output-format", "jsonl", *arguments.split()]
    assert main(command) == status
    out, err = capsys.readouterr()
    assert [json.loads(line)["rule"] for line in out.splitlines()] == list(expected)
    return err


def test_known_diagnostics_are_not_reported(capsys: pytest.CaptureFixture[str]) -> None:
    update(a=WRONG)
    check_baseline(capsys, "a.ptx", 0)
    create(b=WRONG)
    check_baseline(capsys, ".", 1, "unknown-modifier", "unknown-opcode")


def test_moved_lines_and_renumbered_registers_are_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    update(a=WRONG)
    create(a=WRONG.replace("add.lo", "\n\n// moved\n\tadd.lo").replace("%r2", "%r5"))
    check_baseline(capsys, "a.ptx", 0)


def test_one_more_of_the_same_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    update(a=WRONG)
    create(a=WRONG.replace("rat;\n", "rat;\nrat;\n"))
    check_baseline(capsys, "a.ptx", 1, "unknown-opcode")


def test_the_same_in_another_function_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    update(a=WRONG)
    create(a=WRONG + ".entry other() { rat; }\n")
    check_baseline(capsys, "a.ptx", 1, "unknown-opcode")


def test_the_file_is_sorted_and_has_a_line_for_each_entry() -> None:
    update(b=WRONG, a=WRONG)
    assert Path(KNOWN).read_text("utf-8") == (
        '{\n "version": 1,\n "files": {\n'
        '  "a.ptx": [\n'
        '    ["unknown-modifier", "k", "add.lo.s32 %r0 , %r0 , %r0 ;", 1],\n'
        '    ["unknown-opcode", "k", "rat ;", 1]\n  ],\n'
        '  "b.ptx": [\n'
        '    ["unknown-modifier", "k", "add.lo.s32 %r0 , %r0 , %r0 ;", 1],\n'
        '    ["unknown-opcode", "k", "rat ;", 1]\n  ]\n }\n}\n'
    )


def test_a_baseline_that_could_shrink(capsys: pytest.CaptureFixture[str]) -> None:
    update(a=WRONG)
    create(a=WRONG.replace("rat;", ""))
    note = "1 finding in the baseline no longer occurs; see --shrink-baseline\n"
    assert check_baseline(capsys, "a.ptx", 0) == note
    assert check_baseline(capsys, "a.ptx --strict-baseline", 1) == note
    assert check_baseline(capsys, "a.ptx --shrink-baseline", 0).startswith("Removed 1 ")
    assert check_baseline(capsys, "a.ptx --strict-baseline", 0) == ""
    create(a=WRONG)
    check_baseline(capsys, "a.ptx", 1, "unknown-opcode")


def test_shrinking_adds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    update(a=WRONG)
    create(a=WRONG.replace("rat;", "rot;"))
    check_baseline(capsys, "a.ptx --shrink-baseline", 1, "unknown-opcode")
    check_baseline(capsys, "a.ptx", 1, "unknown-opcode")


def test_files_that_are_not_part_of_the_run_stay(capsys: pytest.CaptureFixture[str]) -> None:
    update(a=WRONG, b=WRONG)
    check_baseline(capsys, "a.ptx --strict-baseline", 0)
    update(a=HEADER + ".entry k() { ret; }\n")
    check_baseline(capsys, "b.ptx --strict-baseline", 0)
    Path("b.ptx").unlink()
    check_baseline(capsys, "a.ptx --strict-baseline", 1)


def test_a_diagnostic_about_several_places_is_reported_for_new_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    header = ".version 6.0\n.target sm_70\n.address_size 64\n.entry k() {\n.reg .b32 %r<9>;\n"
    body = "activemask.b32 %r1;\n" * 9
    update(a=header + body + "}\n")
    create(a=header + body + "activemask.b32 %r2;\n}\n")
    check_baseline(capsys, "a.ptx", 1, "unsupported-version")


def test_a_statement_is_read_once_for_all_its_diagnostics(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def recorded(text: str) -> object:
        read.append(text)
        return tokenize(text)

    create(a=HEADER + ".entry k() {\n" + "rat; " * 30 + "\nret;\n}\n")
    monkeypatch.setattr(sites, "tokenize", recorded)
    update(b=HEADER)
    check_baseline(capsys, "a.ptx", 1, *["unknown-opcode"] * 30)
    assert len(read) <= 2


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", '{"version": 2}', '{"version": 1, "files": 3}'),
        '{"version": 1, "files": {"a.ptx": [["unknown-opcode", "k", "rat ;", 1e999]]}}',
    ],
)
def test_a_broken_baseline(capsys: pytest.CaptureFixture[str], text: str) -> None:
    create(a=WRONG)
    Path(KNOWN).write_text(text, "utf-8")
    error = check_baseline(capsys, "a.ptx", 2)
    assert error.startswith(f"ptx-ls: --baseline: {KNOWN}: not ")
    assert error.count("\n") == 1
    assert Path(KNOWN).read_text("utf-8") == text


def test_an_option_without_a_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    create(a=WRONG)
    assert main(["lint", "a.ptx", "--update-baseline"]) == 2
    assert capsys.readouterr().err == "ptx-ls: --update-baseline needs --baseline FILE\n"


def test_entries_of_rules_that_are_off_stay(capsys: pytest.CaptureFixture[str]) -> None:
    update(a=WRONG)
    before = Path(KNOWN).read_text("utf-8")
    check_baseline(capsys, "a.ptx --select names --strict-baseline", 0)
    check_baseline(capsys, "a.ptx --select names --shrink-baseline", 0)
    check_baseline(capsys, "a.ptx --select unknown-opcode --update-baseline", 0)
    assert Path(KNOWN).read_text("utf-8") == before


@pytest.mark.parametrize("use", ["", "--strict-baseline", "--shrink-baseline"])
def test_a_baseline_that_does_not_exist(capsys: pytest.CaptureFixture[str], use: str) -> None:
    create(a=WRONG)
    message = check_baseline(capsys, f"a.ptx {use}", 2)
    assert message.splitlines() == [
        "ptx-ls: --baseline: known.json: no such file; --update-baseline creates it"
    ]


def test_what_another_run_writes_meanwhile_stays(capsys: pytest.CaptureFixture[str]) -> None:
    create(a=WRONG, b=WRONG)
    one, other = (Baseline(KNOWN, BaselineUse.UPDATE) for _ in range(2))
    for run, name in ((one, "a.ptx"), (other, "b.ptx")):
        run.add(name, Counter({("unknown-opcode", "k", "rat ;"): 1}))
        run.write()
    check_baseline(capsys, ".", 1, "unknown-modifier", "unknown-modifier")


@pytest.mark.slow
def test_runs_at_the_same_time_update_one_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"k{number}" for number in range(6)]
    create(**dict.fromkeys(names, WRONG))
    command = [sys.executable, "-m", "ptx_ls", "lint", "--baseline", KNOWN, "--update-baseline"]
    runs = [subprocess.Popen([*command, "-q", f"{name}.ptx"]) for name in names]
    assert [run.wait() for run in runs] == [0] * len(runs)
    check_baseline(capsys, ".", 0)
