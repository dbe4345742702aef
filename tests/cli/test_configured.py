"""Configuration files, as the commands use them."""

import io
import json
import os
import sys
from pathlib import Path

import jsonschema
import pytest

from ptx_ls.cli.main import main
from ptx_ls.files.configuration.discovery import Configurations
from ptx_ls.files.configuration.exclusion import Exclusion
from ptx_ls.files.configuration.schema import schema
from ptx_ls.lint.rule import rules
from ptx_ls.lint.rule_names import groups_of_rules

HEADER = ".version 8.5\n.target sm_90\n.address_size 64\n"
WRONG = HEADER + ".entry k() {\nrat;\nL1:\nL1:\nret;\n}\n"
OPCODE, LABEL = "unknown-opcode", "duplicate-label"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")


def create(**files: str) -> None:
    """Creates files; `__` in a name is a slash, `_` a dot."""
    for name, text in files.items():
        path = Path(name.replace("__", "/").replace("_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def check_rules(capsys: pytest.CaptureFixture[str], arguments: str, *expected: str) -> None:
    """Checks the paths and rules of the diagnostics: `a.ptx unknown-opcode`."""
    main(["lint", *arguments.split(), "--output-format", "jsonl", "-q"])
    out, err = capsys.readouterr()
    assert err == ""
    found = [json.loads(line) for line in out.splitlines()]
    assert [f"{it['path']} {it['rule']}" for it in found] == list(expected)


def check_files(capsys: pytest.CaptureFixture[str], arguments: str, *expected: str) -> None:
    """Checks the files that a run would check."""
    main(["lint", "--show-files", *arguments.split()])
    assert capsys.readouterr().out.splitlines() == list(expected)


def check_refused(capsys: pytest.CaptureFixture[str], arguments: str, complaint: str) -> None:
    assert main(["lint", *arguments.split()]) == 2
    assert capsys.readouterr() == ("", f"ptx-ls: {complaint}\n")


def test_without_a_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG)
    check_rules(capsys, "a.ptx", f"a.ptx {OPCODE}", f"a.ptx {LABEL}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'ignore = ["{OPCODE}"]', [LABEL]),
        ('ignore = ["instructions"]', [LABEL]),
        (f'select = ["{OPCODE}"]', [OPCODE]),
        ('select = ["names"]', [LABEL]),
        (f'select = ["names"]\nextend-select = ["{OPCODE}"]', [OPCODE, LABEL]),
        (f'select = ["{LABEL}"]\nignore = ["names"]', [LABEL]),
        (f'select = ["names"]\nignore = ["{LABEL}"]', []),
        ('select = ["names"]\nignore = ["names"]', []),
        ("select = []", []),
    ],
)
def test_selection(capsys: pytest.CaptureFixture[str], text: str, expected: list[str]) -> None:
    create(a_ptx=WRONG, **{"ptx-ls_toml": f"[lint]\n{text}\n"})
    check_rules(capsys, "a.ptx", *(f"a.ptx {rule}" for rule in expected))


def test_options_win(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, **{"ptx-ls_toml": '[lint]\nselect = ["names"]\n'})
    check_rules(capsys, f"a.ptx --select {OPCODE}", f"a.ptx {OPCODE}")
    check_rules(capsys, f"a.ptx --extend-select {OPCODE} --ignore names", f"a.ptx {OPCODE}")
    check_rules(capsys, "a.ptx --isolated", f"a.ptx {OPCODE}", f"a.ptx {LABEL}")


def test_options_win_over_what_is_ignored(capsys: pytest.CaptureFixture[str]) -> None:
    text = f'[lint]\nignore = ["{OPCODE}"]\nextend-select = ["{LABEL}"]\n'
    override = f'[[overrides]]\nfiles = ["b.ptx"]\nignore = ["{OPCODE}", "names"]\n'
    create(a_ptx=WRONG, b_ptx=WRONG, **{"ptx-ls_toml": text + override})
    for file in ("a.ptx", "b.ptx"):
        check_rules(capsys, f"{file} --select {OPCODE}", f"{file} {OPCODE}")
        check_rules(capsys, f"{file} --ignore names --extend-select {OPCODE}", f"{file} {OPCODE}")


def test_the_nearest_one_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, sub__b_ptx=WRONG, **{"ptx-ls_toml": '[lint]\nselect = ["names"]\n'})
    create(sub__pyproject_toml='[tool.ptx-ls.lint]\nignore = ["names"]\n')
    check_rules(capsys, "", f"a.ptx {LABEL}", f"sub/b.ptx {OPCODE}")
    check_rules(capsys, "--config ptx-ls.toml sub", f"sub/b.ptx {LABEL}")


def test_a_configuration_without_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG)
    assert main(["lint", "a.ptx", "--config", ""]) == 2
    assert capsys.readouterr() == ("", "ptx-ls: --config: expected a file, found nothing\n")


def test_a_project_without_our_table_is_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    create(sub__b_ptx=WRONG, **{"ptx-ls_toml": '[lint]\nselect = ["names"]\n'})
    create(sub__pyproject_toml="[project]\nname = 'x'\n")
    check_rules(capsys, "sub", f"sub/b.ptx {LABEL}")
    check_refused(
        capsys,
        "sub --config sub/pyproject.toml",
        "sub/pyproject.toml: expected a table `[tool.ptx-ls]`",
    )


def test_extend(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, base_toml='extend-exclude = ["b.ptx"]\n[lint]\nselect = ["names"]\n')
    create(**{"ptx-ls_toml": f'extend = "base.toml"\n[lint]\nextend-select = ["{OPCODE}"]\n'})
    create(b_ptx=WRONG)
    check_rules(capsys, ".", f"a.ptx {OPCODE}", f"a.ptx {LABEL}")


def test_extend_in_a_circle(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, b_toml='extend = "ptx-ls.toml"\n')
    create(**{"ptx-ls_toml": 'extend = "b.toml"\n'})
    path = Path("ptx-ls.toml").resolve()
    check_refused(capsys, "a.ptx", f"{path}: `extend` leads through more than 20 files")


def test_extend_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, **{"ptx-ls_toml": 'extend = "b.toml"\n'})
    path = Path("ptx-ls.toml").resolve()
    reason = f"`extend` leads to {path.with_name('b.toml')}: No such file or directory"
    check_refused(capsys, "a.ptx", f"{path}: {reason}")


def test_a_mistake_names_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, **{"ptx-ls_toml": "[lint]\nignor = []\n"})
    path = Path("ptx-ls.toml").resolve()
    check_refused(capsys, "a.ptx", f"{path}:2: unknown key `ignor` (did you mean `ignore`?)")


def test_overrides(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, gen__b_ptx=WRONG, gen__c_ptx=WRONG)
    create(
        **{
            "ptx-ls_toml": '[[overrides]]\nfiles = ["gen/**"]\nignore = ["all"]\n'
            f'[[overrides]]\nfiles = ["c.ptx"]\nextend-select = ["{OPCODE}"]\n'
        }
    )
    check_rules(capsys, ".", f"a.ptx {OPCODE}", f"a.ptx {LABEL}", f"gen/c.ptx {OPCODE}")


def test_severity(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, **{"ptx-ls_toml": f'[lint.severity]\nall = "hint"\n{OPCODE} = "warning"\n'})
    assert main(["lint", "a.ptx", "--output-format", "jsonl", "-q"]) == 0
    (found,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (found["rule"], found["severity"]) == (OPCODE, "warning")
    assert main(["lint", "a.ptx", "--fail-on", "warning", "-q"]) == 1


def test_fail_on(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, **{"ptx-ls_toml": '[lint]\nfail-on = "never"\n'})
    assert main(["lint", "a.ptx", "-q"]) == 0
    assert main(["lint", "a.ptx", "-q", "--fail-on", "error"]) == 1
    assert "error" in capsys.readouterr().out


def test_exclusion(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, out__b_ptx=WRONG, sub__out__c_ptx=WRONG, sub__d_ptx=WRONG)
    create(**{"ptx-ls_toml": 'exclude = ["/out/", "d.*"]\n'})
    check_files(capsys, ".", "a.ptx", "sub/out/c.ptx")
    check_files(capsys, "--exclude sub", "a.ptx")
    check_files(capsys, "sub/d.ptx out", "sub/d.ptx")
    check_files(capsys, "sub/d.ptx a.ptx --force-exclude", "a.ptx")
    check_files(capsys, "--isolated", "a.ptx", "out/b.ptx", "sub/d.ptx", "sub/out/c.ptx")


def test_files_that_git_ignores(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, build__b_ptx=WRONG, sub__c_ptx=WRONG, sub__d_ptx=WRONG)
    create(_gitignore="build/\n*.ptx\n!a.ptx\n", sub___gitignore="!c.ptx\n")
    check_files(capsys, ".", "a.ptx", "build/b.ptx", "sub/c.ptx", "sub/d.ptx")  # not a repository
    Path(".git").mkdir()
    check_files(capsys, ".", "a.ptx", "sub/c.ptx")
    check_files(
        capsys,
        "--no-respect-gitignore",
        *("a.ptx", "build/b.ptx", "sub/c.ptx", "sub/d.ptx"),
    )
    create(**{"ptx-ls_toml": "respect-gitignore = false\n"})
    check_files(capsys, "sub", "sub/c.ptx", "sub/d.ptx")


def test_a_named_folder_is_left_out_if_it_is_forced(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    create(a_ptx=WRONG, build__sub__b_ptx=WRONG, _gitignore="build/\n")
    Path(".git").mkdir()
    check_files(capsys, "build/sub a.ptx --force-exclude", "a.ptx")
    check_files(capsys, ". --force-exclude", "a.ptx")
    monkeypatch.chdir("build")
    check_files(capsys, ". --force-exclude")
    check_files(capsys, ".", "sub/b.ptx")


def test_standard_input_is_left_out_by_its_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(arguments: str, *expected: str) -> None:
        text = io.TextIOWrapper(io.BytesIO(WRONG.encode()))
        monkeypatch.setattr(sys, "stdin", text)
        check_rules(capsys, f"- {arguments}", *expected)

    create(**{"ptx-ls_toml": 'exclude = ["out/", "<*"]\n[lint]\nignore = ["names"]\n'})
    check("--stdin-filename out/a.ptx", f"out/a.ptx {OPCODE}")
    check("--stdin-filename out/a.ptx --force-exclude")
    check("--stdin-filename a.ptx --force-exclude", f"a.ptx {OPCODE}")
    check("--force-exclude", f"<stdin> {OPCODE}")


def test_files_that_a_repository_excludes(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, b_ptx=WRONG, sub__a_ptx=WRONG, sub___gitignore="!a.ptx\n")
    create(_git__info__exclude="a.ptx\n")
    check_files(capsys, ".", "b.ptx", "sub/a.ptx")


def test_a_gitignore_that_is_a_fifo_is_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG)
    Path(".git").mkdir()
    if sys.platform == "win32":
        pytest.skip("there are no FIFOs")
    os.mkfifo(".gitignore")
    check_files(capsys, ".", "a.ptx")


@pytest.mark.parametrize(
    ("ignored", "expected"),
    [
        ("\ufeffout/\r\n", ["a.ptx"]),
        ("!\n[z-a]\nx\\\n[[:a]x]\nout/", ["a.ptx"]),
        ("out/\n!out/b.ptx", ["a.ptx"]),
        ("out/**\n!out/b.ptx", ["a.ptx", "out/b.ptx"]),
        ("*.ptx\x0b!a.ptx", ["a.ptx", "out/b.ptx", "out/c.ptx"]),
    ],
)
def test_patterns_mean_what_they_mean_in_git(
    capsys: pytest.CaptureFixture[str], ignored: str, expected: list[str]
) -> None:
    create(a_ptx=WRONG, out__b_ptx=WRONG, out__c_ptx=WRONG)
    Path(".git").mkdir()
    Path(".gitignore").write_text(ignored, "utf-8", newline="")
    check_files(capsys, ".", *expected)
    check_files(capsys, "a.ptx out/b.ptx out/c.ptx --force-exclude", *expected)


def test_a_repository_at_the_root_of_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path.cwd().anchor
    monkeypatch.setattr(os.path, "exists", lambda path: path == f"{root}.git")
    assert not Exclusion(Configurations(only="")).excludes(f"{root}a.ptx")


def test_any_number_of_folders() -> None:
    path = f"{Path.cwd()}/{'d/' * 2_000}a.ptx"
    configurations = Configurations()
    assert configurations.of(path).path == ""
    assert not Exclusion(configurations).excludes_named(path)


def test_an_excluded_folder_is_not_asked_for_its_configuration(
    capsys: pytest.CaptureFixture[str],
) -> None:
    create(a_ptx=WRONG, out__b_ptx=WRONG, **{"ptx-ls_toml": 'exclude = ["out/"]\n'})
    create(**{"out__ptx-ls_toml": ""})
    check_files(capsys, ".", "a.ptx")
    check_files(capsys, "a.ptx out/b.ptx --force-exclude", "a.ptx")


def test_patterns_of_the_command_line_are_relative_to_the_current_directory(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    create(sub__a_ptx=WRONG, sub__x__b_ptx=WRONG, other__base_toml="", **{"ptx-ls_toml": ""})
    monkeypatch.chdir("sub")
    check_files(capsys, "--exclude x/b.ptx", "a.ptx")
    check_files(capsys, "--exclude x/b.ptx --config ../other/base.toml", "a.ptx")


def test_a_folder_without_a_file_that_is_not_excluded(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG)
    why = "no .ptx file in this directory"
    check_refused(
        capsys, ". --exclude a.ptx", f".: {why}, except files that are excluded or that git ignores"
    )
    Path("a.ptx").unlink()
    check_refused(capsys, ". --exclude a.ptx", f".: {why}")


def test_a_file_whose_name_begins_with_two_dots(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG)
    Path("..b.ptx").write_text(WRONG, "utf-8")
    check_files(capsys, "--exclude *b.ptx", "a.ptx")


def test_an_invalid_pattern(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG)
    expected = "expected `.gitignore` patterns, but `[a` is not one"
    complaint = f"argument --exclude: {expected}; see `ptx-ls lint --help`"
    check_refused(capsys, "--exclude [a", complaint)
    create(**{"ptx-ls_toml": 'exclude = ["[a"]'})
    check_refused(capsys, ".", f"{Path('ptx-ls.toml').resolve()}:1: `exclude`: {expected}")


def test_lists_and_patterns_of_files(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG, sub__b_ptx=WRONG, list_txt="a.ptx\n\nsub\n")
    check_files(capsys, "@list.txt", "a.ptx", "sub/b.ptx")
    check_files(capsys, "**/*.ptx", "a.ptx", "sub/b.ptx")
    check_files(capsys, "s*/[b].ptx", "sub/b.ptx")


def test_style_of_format(capsys: pytest.CaptureFixture[str]) -> None:
    text = HEADER + ".entry k()\n{\nret;\n}\n"
    create(a_ptx=text, **{"ptx-ls_toml": "[format]\nindent = 2\n"})
    assert main(["format", "a.ptx", "-q"]) == 0
    assert "\n  ret;" in Path("a.ptx").read_text("utf-8")
    assert main(["format", "a.ptx", "-q", "--indent", "8"]) == 0
    assert "\n        ret;" in Path("a.ptx").read_text("utf-8")
    assert main(["format", "a.ptx", "-q", "--isolated"]) == 0
    assert "\n    ret;" in Path("a.ptx").read_text("utf-8")
    capsys.readouterr()


def test_settings_are_shown_as_a_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    text = 'exclude = ["\U0001f600"]\n[lint]\nignore = ["names"]\n'
    create(a_ptx=WRONG, **{"ptx-ls_toml": text})
    assert main(["lint", "a.ptx", "--show-settings"]) == 0
    shown = capsys.readouterr().out
    assert '"duplicate-label"' in shown
    create(**{"ptx-ls_toml": shown})
    assert main(["lint", "a.ptx", "--show-settings"]) == 0
    assert capsys.readouterr().out == shown


def test_settings_of_a_file_with_a_line_break_in_its_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lint", "a\nb.ptx", "--show-settings"]) == 0
    assert capsys.readouterr().out.startswith("# settings for a\\nb.ptx\n#")


def test_every_rule_has_a_group() -> None:
    assert groups_of_rules().keys() == rules().keys()


def test_the_schema_is_one_and_accepts_what_is_read() -> None:
    jsonschema.Draft7Validator.check_schema(schema())
    good = {
        "exclude": ["a"],
        "lint": {"select": ["names", OPCODE], "severity": {"all": "hint"}},
        "overrides": [{"files": ["x"], "ignore": ["all"]}],
        "format": {"indent": 2, "tabs": True},
    }
    jsonschema.validate(good, schema())
    bad: list[object] = [
        {"exclud": []},
        {"lint": {"select": ["nosuch"]}},
        {"overrides": [{"ignore": []}]},
        {"format": {"indent": 99}},
        {"lint": {"severity": {"names": "bad"}}},
    ]
    validator = jsonschema.Draft7Validator(schema())
    assert not [each for each in bad if validator.is_valid(each)]


def test_a_name_for_standard_input_that_is_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    create(a_ptx=WRONG)
    assert main(["lint", "--stdin-filename", "b.ptx", "a.ptx"]) == 2
    assert "--stdin-filename needs `-`" in capsys.readouterr().err
