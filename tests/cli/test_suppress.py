"""`ptx-ls lint --add-suppressions`, and what a run says about suppressed findings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.cli.linting.suppress import add_suppressions
from ptx_ls.cli.main import main
from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.shared_caches import SharedCaches
from ptx_ls.lint.suppression.surroundings import OF_COMMENTS
from ptx_ls.syntax.comments import without_comments
from tests.support.lint import BODY, END, HEADER, module

pytestmark = pytest.mark.excerpts

WIDE = "add.u32 %r1, %rd2, %r3;"
UNKNOWN = "newop.b32 %r1;"
STATEMENTS = st.sampled_from(
    [
        *(WIDE, UNKNOWN, "mov.u32 %r1, 1;", "mov.u32 %r1,\n  %q;", f"{WIDE} {UNKNOWN}"),
        *("add.u32\n  %r1,\n  %qq,\n  %rd3;", "// note\n", "/* a\n b */", "/* c */", "// ptx-ls:"),
        *("// ptx-ls: ignore[operand-width] old\n", "// ptx-ls: ignore[x]\n", "\n", "\r\n", "\r"),
        *('.pragma "//";', '# 1 "a.cu"\n', "{ /* one\n */", "}", " ", "\t", f"{'x' * 90}.b32 %r1;"),
    ]
)
BODIES = st.lists(STATEMENTS, max_size=12).map("".join)


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check_run(
    capsys: pytest.CaptureFixture[str], text: str, *options: str, status: int
) -> tuple[str, str, str]:
    """Lints a file of that text; returns its text then, standard output and standard error."""
    path = Path("a.ptx")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert main(["lint", "a.ptx", "--output-format", "concise", *options]) == status
    printed = capsys.readouterr()
    after = path.read_bytes().decode("utf-8", "surrogateescape")
    return after, printed.out, printed.err


def check_added(capsys: pytest.CaptureFixture[str], body: str, expected: str, *more: str) -> None:
    """Checks the body of a kernel with comments; a second run finds and changes nothing."""
    options = "--add-suppressions", "--exit-zero", *more
    after, out, _ = check_run(capsys, module(body), *options, status=0)
    assert after == module(expected)
    assert out == ""
    os.utime("a.ptx", (1, 1))
    assert main(["lint", "a.ptx", "--add-suppressions", *more]) == 0
    assert Path("a.ptx").stat().st_mtime == 1
    assert "(" not in capsys.readouterr().err


def test_each_line_gets_one_comment(capsys: pytest.CaptureFixture[str]) -> None:
    check_added(
        capsys,
        f"\t{WIDE} {UNKNOWN}\n{WIDE} // note\r\n{UNKNOWN} // ptx-ls: ignore[operand-width]\n",
        f"\t{WIDE} {UNKNOWN} // ptx-ls: ignore[operand-width, unknown-opcode]\n"
        f"{WIDE} // note // ptx-ls: ignore[operand-width]\r\n"
        f"{UNKNOWN} // ptx-ls: ignore[operand-width, unknown-opcode]\n",
        "--ignore=unused-suppression",
    )


def test_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    check_added(
        capsys,
        f"{WIDE}\n{UNKNOWN} // ptx-ls: ignore[operand-width]\n",
        f"{WIDE} // ptx-ls: ignore[operand-width] until 2.0\n"
        f"{UNKNOWN} // ptx-ls: ignore[operand-width, unknown-opcode] until 2.0\n",
        *("--reason", " until 2.0 ", "--ignore=unused-suppression"),
        "--extend-select=suppression-without-reason",
    )


def test_encodings(capsys: pytest.CaptureFixture[str]) -> None:
    text = module(f"{WIDE} // \udce9\udcff é\r\n")
    after, _, _ = check_run(capsys, text, "--add-suppressions", "--exit-zero", status=0)
    note = " // ptx-ls: ignore[operand-width]"
    assert after == module(f"{WIDE} // \udce9\udcff é{note}\r\n")


def test_only_what_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    text = module(f"{WIDE}\n{UNKNOWN}\n")
    options = ("--add-suppressions", "--ignore", "operand-width")
    after, _, err = check_run(capsys, text, *options, status=0)
    assert after == module(f"{WIDE}\n{UNKNOWN} // ptx-ls: ignore[unknown-opcode]\n")
    assert err == "Found no problems in 1 file; 1 error suppressed (1 by new comments)\n"
    assert main(["lint", "a.ptx", "--baseline", "b.json", "--update-baseline"]) == 0
    options = ("--add-suppressions", "--baseline", "b.json")
    after, _, _ = check_run(capsys, after, *options, status=0)
    assert after == module(f"{WIDE}\n{UNKNOWN} // ptx-ls: ignore[unknown-opcode]\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (module("add.u32 %r1 %r2;\n"), "line 12 has a syntax error"),
        ("int main() { return 0; }\n", "it does not begin with `.version`"),
    ],
)
def test_other_texts_are_left_alone(
    capsys: pytest.CaptureFixture[str], text: str, reason: str
) -> None:
    after, _, err = check_run(capsys, text, "--add-suppressions", status=2)
    assert after == text
    assert reason in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--reason", "x"], "--reason needs --add-suppressions"),
        (["--add-suppressions", "--reason", "a\nb"], "expected one line of printable text"),
        (["--add-suppressions", "--reason", "*/"], "expected one line of printable text"),
        (["--add-suppressions", "--reason", " "], "expected one line of printable text"),
        (["--add-suppressions", "--fix"], "--add-suppressions cannot be combined with --fix"),
        (["--add-suppressions", "--unsafe-fixes"], "cannot be combined with --unsafe-fixes"),
        (["--add-suppressions", "-"], "standard input is not a file"),
    ],
)
def test_wrong_options(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    text = module(f"{WIDE}\n")
    after, _, err = check_run(capsys, text, *options, status=2)
    assert after == text
    assert message in err
    assert err.count("\n") == 1


def test_suppressed_findings_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    text = module(f"{WIDE} // ptx-ls: ignore\n{UNKNOWN} // ptx-ls: ignore[unknown-opcode]\n")
    _, out, err = check_run(capsys, text, status=0)
    assert out == ""
    assert err == "Found no problems in 1 file; 2 errors suppressed\n"
    Path("ptx-ls.toml").write_text('[lint.severity]\nunknown-opcode = "warning"\n')
    _, _, err = check_run(capsys, text, status=0)
    assert err == "Found no problems in 1 file; 1 error, 1 warning suppressed\n"


@pytest.mark.parametrize("form", ["json", "sarif", "gitlab", "junit", "github"])
def test_reports_leave_suppressed_findings_out(
    capsys: pytest.CaptureFixture[str], form: str
) -> None:
    text = module(f"add.u32 %r1, %wide, %r3; // ptx-ls: ignore\n{UNKNOWN}\n")
    _, out, _ = check_run(capsys, text, "--output-format", form, status=1)
    assert "unknown-opcode" in out
    assert "%wide" not in out


def test_unused_comments_are_removed(capsys: pytest.CaptureFixture[str]) -> None:
    text = module("mov.u32 %r1, 1; // ptx-ls: ignore[operand-width]\n")
    after, out, err = check_run(capsys, text, status=0)
    assert "`operand-width` reports nothing here [unused-suppression]" in out
    assert err.endswith("1 problem can be fixed with --fix\n")
    after, _, _ = check_run(capsys, text, "--fix", status=0)
    assert after == module("mov.u32 %r1, 1;\n")


@given(BODIES)
def test_any_layout(body: str) -> None:
    """All findings are suppressed, only comments are added, and more comments are never needed."""
    text, caches = HEADER + BODY + body + END, SharedCaches()

    def added(before: str) -> str:
        return add_suppressions("a.ptx", before, "", lint, caches).text

    after = added(text)
    assert "".join(without_comments(after).split()) == "".join(without_comments(text).split())
    assert added(after) == after
    left = [one.rule for one in lint(Document.read(after)) if one.rule not in OF_COMMENTS]
    assert not left or after == text
