"""`ptx-ls lint --fix`, and how much of a file with thousands of findings is shown."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from ptx_ls.cli.main import main
from ptx_ls.cli.reports.alike import shortened
from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from tests.support.lint import module
from tests.support.programs import require_program

pytestmark = pytest.mark.excerpts

SAFE = module("add.s32 %r1, %r2, %r3\nret;\n")
MENDED = module("add.s32 %r1, %r2, %r3;\nret;\n")
UNSAFE = module("add.s32 %r1 %r2, %r3;\nret;\n")
GUESSED = module("addd.s32 %r1, %r2, %r3;\nret;\n")


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check_lint(
    capsys: pytest.CaptureFixture[str], text: str, *options: str, status: int
) -> tuple[str, str, str]:
    """Lints a file of that text; returns what it holds then, standard output and error."""
    path = Path("a.ptx")
    path.write_bytes(text.encode())
    assert main(["lint", "a.ptx", "--output-format", "concise", *options]) == status
    printed = capsys.readouterr()
    return path.read_bytes().decode(), printed.out, printed.err


def test_without_being_asked_nothing_is_changed(capsys: pytest.CaptureFixture[str]) -> None:
    after, _, err = check_lint(capsys, SAFE, status=1)
    assert after == SAFE
    assert err.splitlines()[-1] == "1 problem can be fixed with --fix"


def test_certain_fixes(capsys: pytest.CaptureFixture[str]) -> None:
    after, out, err = check_lint(capsys, SAFE, "--fix", status=0)
    assert (after, out) == (MENDED, "")
    assert err == "Found no problems in 1 file; 1 fixed\n"


def test_uncertain_fixes(capsys: pytest.CaptureFixture[str]) -> None:
    after, _, err = check_lint(capsys, UNSAFE, "--fix", status=1)
    assert after == UNSAFE
    assert err.splitlines()[-1] == "1 problem can be fixed with --fix --unsafe-fixes"
    after, _, _ = check_lint(capsys, UNSAFE, "--fix", "--unsafe-fixes", status=0)
    assert after == MENDED


@pytest.mark.parametrize(("severity", "fixed"), [("hint", SAFE), ("warning", MENDED)])
def test_what_is_configured_not_to_be_reported_is_not_fixed(
    capsys: pytest.CaptureFixture[str], severity: str, fixed: str
) -> None:
    Path("ptx-ls.toml").write_text(f'[lint.severity]\nsyntax-error = "{severity}"\n')
    after, _, err = check_lint(capsys, SAFE, status=0)
    assert err.endswith("with --fix\n") == (fixed != SAFE)
    after, _, _ = check_lint(capsys, SAFE, "--fix", status=0)
    assert after == fixed


def test_unsafe_fixes_alone_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = UNSAFE.replace("ret;", "ret;;")
    after, out, err = check_lint(capsys, text, "--unsafe-fixes", status=1)
    assert after == text
    assert out.splitlines()[2:] == [
        *("--- a.ptx", "+++ a.ptx", "@@ -9,6 +9,6 @@"),
        *(" .reg .b64 %rd<10>;", " .reg .f32 %f<10>;", " .reg .f64 %fd<10>;"),
        *("-add.s32 %r1 %r2, %r3;", "-ret;;", "+add.s32 %r1, %r2, %r3;", "+ret;", " }"),
    ]
    assert err.splitlines()[-1] == "2 problems can be fixed with --fix --unsafe-fixes"


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("ret;;\n", {"--fix": 1}),
        ("ret;;\nadd.s32 %r1, %r2, (;\n", {}),
        ("ret;;\nadd.s32 %r1 %r2, %r3;\n", {"--fix --unsafe-fixes": 2}),
        ("ret;;\nadd.s32 %r1 %r2, %r3;\nadd.s32 %r1, %r2, (;\n", {}),
        ("ret;;\nadd.s32 %r1, %r2, %r3\nret;\n", {"--fix": 2}),
    ],
)
def test_the_hint_counts_what_is_fixed(
    capsys: pytest.CaptureFixture[str], body: str, options: dict[str, int]
) -> None:
    """The hint names an option only if it writes files, and counts the problems that it fixes."""
    text = module(body)
    *_, err = check_lint(capsys, text, status=1)
    for option in ("--fix", "--fix --unsafe-fixes"):
        path = Path("a.ptx")
        path.write_text(text, encoding="utf-8")
        main(["lint", "a.ptx", *option.split()])
        n_fixed = re.search(r"; (\d+) fixed", capsys.readouterr().err)
        hint = re.search(rf"(\d+) problems? can be fixed with {option}\n", err)
        assert (hint and int(hint[1])) == options.get(option)
        assert (n_fixed is not None) is any(option.startswith(one) for one in options)
        assert (path.read_text("utf-8") != text) is (n_fixed is not None)
        if n_fixed is not None and option in options:
            assert int(n_fixed[1]) == options[option]


def test_json_has_the_fixes(capsys: pytest.CaptureFixture[str]) -> None:
    for text, fixes in (
        (SAFE, [("Insert `;`", "certain")]),
        (UNSAFE, [("Insert `,`", "unsafe")]),
        (GUESSED, [("Replace with `add`", "guess")]),
    ):
        _, out, _ = check_lint(capsys, text, "--unsafe-fixes", "--output-format", "json", status=1)
        (found,) = json.loads(out)
        assert [(each["title"], each["applicability"]) for each in found["fixes"]] == fixes


def test_a_guess_is_never_made(capsys: pytest.CaptureFixture[str]) -> None:
    after, _, err = check_lint(capsys, GUESSED, "--fix", "--unsafe-fixes", status=1)
    assert after == GUESSED
    assert "can be fixed" not in err


def test_what_is_not_fixed_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    text = SAFE.replace("\n", "\r\n") + "// \u00fc"
    after, _, _ = check_lint(capsys, text, "--fix", status=0)
    assert after == MENDED.replace("\n", "\r\n") + "// \u00fc"


def test_a_byte_order_mark_is_removed(capsys: pytest.CaptureFixture[str]) -> None:
    after, _, err = check_lint(capsys, "\ufeff" + SAFE, status=1)
    assert after == "\ufeff" + SAFE
    assert err.splitlines()[-1] == "2 problems can be fixed with --fix"
    after, _, err = check_lint(capsys, "\ufeff" + SAFE, "--fix", status=0)
    assert after == MENDED
    assert "; 2 fixed" in err
    Path("ptx-ls.toml").write_text('[lint]\nignore = ["syntax-error"]\n')
    after, _, _ = check_lint(capsys, "\ufeff" + SAFE, "--fix", status=0)
    assert after == "\ufeff" + SAFE


@pytest.mark.parametrize("option", ["--diff", "--diff --fix"])
def test_a_patch(capsys: pytest.CaptureFixture[str], option: str) -> None:
    after, out, err = check_lint(capsys, SAFE, *option.split(), status=1)
    assert after == SAFE
    assert out.splitlines() == [
        *("--- a.ptx", "+++ a.ptx", "@@ -9,6 +9,6 @@"),
        *(" .reg .b64 %rd<10>;", " .reg .f32 %f<10>;", " .reg .f64 %fd<10>;"),
        *("-add.s32 %r1, %r2, %r3", "+add.s32 %r1, %r2, %r3;", " ret;", " }"),
    ]
    assert err == "1 problem would be fixed in 1 file (1 checked)\n"
    check_lint(capsys, SAFE, *option.split(), "--exit-zero", status=0)


def test_a_patch_without_unsafe_fixes(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, err = check_lint(capsys, UNSAFE, "--diff", status=0)
    assert (out, err) == ("", "Nothing to fix in 1 file\n")
    _, out, _ = check_lint(capsys, UNSAFE, "--diff", "--unsafe-fixes", "-q", status=1)
    assert "+add.s32 %r1, %r2, %r3;\n" in out


def test_no_patch_for_what_is_not_ptx(capsys: pytest.CaptureFixture[str]) -> None:
    text = SAFE + "add.s32 %r1, (;\n"
    after, out, err = check_lint(capsys, text, "--diff", status=2)
    assert (after, out) == (text, "")
    assert "a.ptx: not changed, because it cannot be parsed as PTX" in err


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--output", "json:out"], "so --output has no effect"),
        (["--statistics"], "so --statistics has no effect"),
        (["--baseline", "b", "--update-baseline"], "not even a baseline"),
    ],
)
def test_a_patch_is_all(capsys: pytest.CaptureFixture[str], options: list[str], part: str) -> None:
    _, out, err = check_lint(capsys, SAFE, "--diff", *options, status=2)
    assert out == ""
    assert part in err
    assert err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["a.ptx", "a b.ptx", "\u00e9.ptx", 'a"b\\.ptx', "a\tb\nc.ptx", "\udcff.ptx"]
)
@pytest.mark.parametrize(
    "text",
    [
        SAFE,
        SAFE.rstrip() + "// \udce9",
        "\ufeff" + SAFE,
        SAFE.replace("\n", "\r\n"),
    ],
)
def test_git_applies_the_patch(
    capfdbinary: pytest.CaptureFixture[bytes], name: str, text: str
) -> None:
    require_program("git", "apt-get install git")
    path = Path(name)
    try:
        path.write_bytes(text.encode(errors="surrogateescape"))
    except OSError:
        pytest.skip("the file system does not allow this name")
    assert main(["lint", "--diff", "-q", name]) == 1
    patch = capfdbinary.readouterr().out
    command = ["git", "apply", "-p0", "--whitespace=nowarn", "-"]
    done = subprocess.run(command, input=patch, capture_output=True, check=False)
    assert done.stderr == b""
    assert main(["lint", "--diff", "-q", name]) == 0


def test_a_file_keeps_its_rights(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ptx").touch(mode=0o640)
    check_lint(capsys, SAFE, "--fix", status=0)
    if os.name != "nt":
        assert Path("a.ptx").stat().st_mode & 0o777 == 0o640
    assert [path.name for path in Path().iterdir()] == ["a.ptx"]


def test_a_read_only_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ptx").write_text(SAFE)
    Path("a.ptx").chmod(0o444)
    assert main(["lint", "a.ptx", "--fix"]) == 2
    assert capsys.readouterr().err == "ptx-ls: a.ptx: read-only, so not changed\n"
    assert Path("a.ptx").read_text() == SAFE


def test_a_hard_link_stays_one(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ptx").touch()
    os.link("a.ptx", "b.ptx")
    check_lint(capsys, SAFE, "--fix", status=0)
    assert Path("b.ptx").read_text() == MENDED
    assert Path("b.ptx").samefile("a.ptx")


def test_standard_input_is_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "-", "--fix"]) == 2
    assert "--fix changes files" in capsys.readouterr().err


def many(number: int) -> str:
    return module("".join(f"ld.foo.u32 %r{n % 10}, [%rd1];\n" for n in range(number)) + "bra X;\n")


def test_what_is_alike_is_cut_short(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, err = check_lint(capsys, many(10_000), status=1)
    lines = out.splitlines()
    assert len(lines) == 52
    assert lines[-1].startswith("a.ptx: ... and 9,950 more like line 12: ")
    assert lines[-1].endswith("[unknown-modifier]")
    assert "undeclared-label" in lines[-2]
    assert err.splitlines()[:3] == [
        "10000  unknown-modifier",
        "    1  undeclared-label",
        "Found 10,001 errors in 1 file (1 checked)",
    ]


def test_all_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = check_lint(capsys, many(200), "--max-alike", "0", status=1)
    assert len(out.splitlines()) == 201
    _, out, _ = check_lint(capsys, many(200), "--output-format", "json", status=1)
    assert len(json.loads(out)) == 201


def test_other_messages_are_no_repetition() -> None:
    statements = "add.s32 %r1, %f1, %r2;\nadd.s32 %r1, %f2, %r2;\nadd.s32 %r1, %r3;\n"
    found = lint(Document.read(module(statements)))
    shown, left = shortened(found, 1)
    assert [one.rule for one in shown] == ["operand-type", "operand-count"]
    assert [(one.message, count) for one, count in left] == [(found[0].message, 1)]
