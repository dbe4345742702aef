"""The output of `cuobjdump -ptx` as the input of the commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ptx_ls.cli.main import main
from ptx_ls.document.document import Document
from ptx_ls.lint import LintSession, lint
from ptx_ls.lint.rule_settings import RuleSettings
from tests.support.dumps import ELF, module

pytestmark = pytest.mark.excerpts

WRONG = module("sm_80", "add.s65 %r1, %r2, 1;") + ELF + module("sm_90a", "xyzzy")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check_command(
    capsys: pytest.CaptureFixture[str], command: str, text: str, *expected: str, status: int = 0
) -> None:
    """Runs a command on a file `a.ptx`; checks its output, first that on standard output."""
    Path("a.ptx").write_text(text, "utf-8")
    assert main([*command.split(), "a.ptx"]) == status
    assert "".join(capsys.readouterr()).splitlines() == list(expected)
    assert Path("a.ptx").read_text("utf-8") == text


def test_each_module_is_linted(capsys: pytest.CaptureFixture[str]) -> None:
    check_command(
        capsys,
        "lint --output-format concise",
        WRONG,
        "a.ptx:17:4: error: `add` has no modifier `.s65`, expected `.u32` or `.s32`"
        " (in module 1: m.cu, sm_80) [unknown-modifier]",
        "a.ptx:45:6: error: missing `;` (in module 2: m.cu, sm_90a) [syntax-error]",
        "Found 2 errors in 1 file (1 checked)",
        status=1,
    )


def test_modules_may_define_the_same_names(capsys: pytest.CaptureFixture[str]) -> None:
    text = module("sm_80") + module("sm_90")
    check_command(capsys, "lint", text, "Found no problems in 1 file")


def test_what_comments_suppress_in_each_module_is_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wrong = "xyzzy; // ptx-ls: ignore"
    text = module("sm_80", wrong) + module("sm_90", f"{wrong}\n{wrong}")
    summary = "Found no problems in 1 file; 3 errors suppressed"
    check_command(capsys, "lint", text, summary)


def test_the_only_module_has_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    text = module("sm_80", "xyzzy;")
    found = "a.ptx:17:1: error: unknown opcode `xyzzy` [unknown-opcode]"
    check_command(capsys, "lint -q --output-format concise", text, found, status=1)


def test_other_targets(capsys: pytest.CaptureFixture[str]) -> None:
    text = module("sm_80", "redux.sync.add.s32 %r1, %r2, -1;") + module("sm_90")
    check_command(
        capsys,
        "lint -q --output-format concise --target sm_75,sm_80",
        text,
        "a.ptx:17:1: error: `redux.sync.add.s32` needs PTX ISA 7.0 and sm_80 or newer, but "
        "`.target` is sm_75 (in module 1: m.cu, sm_80) [unsupported-target]",
        status=1,
    )


def test_output_without_ptx(capsys: pytest.CaptureFixture[str]) -> None:
    complaint = "a.ptx: no PTX in this output of `cuobjdump`; `cuobjdump -ptx FILE` prints it"
    for command in ("lint", "requirements"):
        check_command(capsys, command, ELF, f"ptx-ls: {complaint}", status=2)


@pytest.mark.parametrize("command", ["format", "lint -q --statistics --fix --unsafe-fixes"])
def test_it_is_never_rewritten(capsys: pytest.CaptureFixture[str], command: str) -> None:
    text = module("sm_80", "ret") + module("sm_90")
    refusal = "not changed, because it cannot be parsed as PTX: it is the output of `cuobjdump`"
    counts = ["1  syntax-error"] if command.startswith("lint") else []
    check_command(capsys, command, text, *counts, f"ptx-ls: a.ptx: {refusal}", status=2)


def test_nothing_to_fix(capsys: pytest.CaptureFixture[str]) -> None:
    check_command(capsys, "lint --fix -q", module("sm_80"))


def test_requirements_of_each_module(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ptx").write_text(module("sm_80") + module("sm_90"), "utf-8")
    assert main(["requirements", "a.ptx"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "a.ptx (module 1: m.cu, sm_80): needs PTX ISA 7.0 for `sm_80`, and declares 9.0" in lines
    assert "    line 34: `.address_size`" in lines
    assert main(["requirements", "--json", "a.ptx"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["module"] for each in found] == ["module 1: m.cu, sm_80", "module 2: m.cu, sm_90"]


def test_a_function_of_several_modules_has_no_picture(capsys: pytest.CaptureFixture[str]) -> None:
    check_command(
        capsys,
        "cfg --function k",
        module("sm_80") + module("sm_90"),
        "ptx-ls: a.ptx: `k` is defined 2 times, on lines 14, 35;"
        " `cuobjdump -ptx -arch sm_N` prints one of the modules",
        status=2,
    )


def test_an_editor_shows_one_message() -> None:
    document = Document.read(WRONG)
    (only,) = lint(document)
    assert (only.range.start, only.rule) == ((1, 0), "syntax-error")
    assert "`ptx-ls lint` checks each module" in only.message
    session = LintSession(document)
    assert session.within(0, 5) == [only]
    assert session.within(20, 30) == []
    assert lint(document, RuleSettings(frozenset({"syntax-error"}))) == []


def test_the_only_module_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    text = ELF + module("sm_80")
    Path("b.ptx").write_text(module("sm_80"), "utf-8")
    check_command(capsys, "diff b.ptx", text, "b.ptx and a.ptx are the same (1 function)")
    Path("b.ptx").write_text(module("sm_80", "bar.sync 0;"), "utf-8")
    place = text.splitlines().index("add.s32 %r1, %r2, 1;") + 1
    assert main(["diff", "b.ptx", "a.ptx"]) == 1
    assert f"@@ -17 +{place} @@" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["diff a.ptx", "normalize"])
def test_one_of_several_modules_has_to_be_chosen(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    complaint = "ptx-ls: a.ptx: 2 PTX modules; `cuobjdump -ptx -arch sm_N` prints one of them"
    complaints = [complaint] * command.count("a.ptx") + [complaint]
    check_command(capsys, command, module("sm_80") + module("sm_90"), *complaints, status=2)
