"""`ptx-ls format`: what it writes, says and answers."""

from __future__ import annotations

import gc
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.cli import patches, reformat
from ptx_ls.cli.main import main
from ptx_ls.formatting.changes import LineReplacement
from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.tokens import tokenize

HEADER = ".version 8.0\n"
RAGGED = HEADER + ".func f() {\n  mov.u32 %r1 ,1;\nret;  }\n"
LAID_OUT = HEADER + "\n.func f()\n{\n    mov.u32             %r1, 1;\n    ret;\n}\n"
RAGGED_LINES = [*(".version 8.0", "", ".func f()", "{", "  mov.u32 %r1 ,1;", "ret;", " }")]
"""A text of which lines 5 to 7 are not formatted."""
TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "\n", "d"])).map("".join)
NO_END = "\\ No newline at end of file\n"
DIFFERENCE = """\
--- a.ptx
+++ a.ptx
@@ -1,4 +1,7 @@
 .version 8.0
-.func f() {
-  mov.u32 %r1 ,1;
-ret;  }
+
+.func f()
+{
+    mov.u32             %r1, 1;
+    ret;
+}
"""


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "PTX_LS_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    yield
    gc.enable()  # the command leaves it switched off


class Check:
    """Runs the command in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str, status: int = 0, out: str = "", err: str = "") -> None:
        assert main(["format", *arguments]) == status
        assert self._capsys.readouterr() == (out, err)


@pytest.fixture
def check_command(capsys: pytest.CaptureFixture[str]) -> Check:
    return Check(capsys)


def create(name: str, text: str | bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_files_are_laid_out_in_place(check_command: Check) -> None:
    ragged, laid_out = create("d/a.ptx", RAGGED), create("d/b.ptx", LAID_OUT)
    before = laid_out.stat().st_mtime_ns
    check_command("d", err="1 file reformatted, 1 file already formatted\n")
    assert ragged.read_text() == laid_out.read_text() == LAID_OUT
    assert laid_out.stat().st_mtime_ns == before
    check_command("d", err="2 files already formatted\n")
    check_command("d", "-q")


def test_check_writes_nothing(check_command: Check) -> None:
    ragged = create("a.ptx", RAGGED)
    create("b.ptx", LAID_OUT)
    said = "1 file would be reformatted, 1 file already formatted\n"
    check_command("--check", ".", status=1, out="Would reformat a.ptx\n", err=said)
    assert ragged.read_text() == RAGGED
    check_command("--check", "b.ptx", err="1 file already formatted\n")


def test_difference(check_command: Check) -> None:
    ragged = create("a.ptx", RAGGED)
    create("b.ptx", LAID_OUT)
    said = "1 file would be reformatted, 1 file already formatted\n"
    check_command("--diff", "a.ptx", "b.ptx", status=1, out=DIFFERENCE, err=said)
    check_command("--diff", "--check", "-q", "a.ptx", status=1, out=DIFFERENCE)
    assert ragged.read_text() == RAGGED


def test_coloured_difference(capsys: pytest.CaptureFixture[str]) -> None:
    create("a.ptx", RAGGED)
    assert main(["format", "--diff", "--color", "always", "a.ptx"]) == 1
    out = capsys.readouterr().out
    assert "\x1b[32m+    ret;\x1b[0m\n" in out
    assert "\x1b[31m-ret;  }\x1b[0m\n" in out


@pytest.mark.parametrize(
    "lines",
    [
        ["a\n", "b\n", "c\n"],
        [f"{n}\n" for n in range(40)],
        ["a\n", "no end"],
    ],
)
def test_patch_takes_the_difference(lines: list[str]) -> None:
    changes = [
        LineReplacement(0, 1, ["x\n", "y\n"]),
        LineReplacement(len(lines) - 1, len(lines), ["z\n"]),
    ]
    if len(lines) > 9:
        changes[1:1] = [LineReplacement(8, 12, []), LineReplacement(20, 20, ["new\n"])]
    text = "".join(patches.difference("a.txt", split_lines("".join(lines)), changes))
    expected = lines.copy()
    for change in reversed(changes):
        expected[change.first : change.stop] = change.lines
    assert patched("".join(lines), text) == "".join(expected)


@given(TEXTS, TEXTS)
def test_a_patch_leads_from_any_text_to_any_other(old: str, new: str) -> None:
    shown = patches.patch("a.txt", old, new)
    assert (shown == "") is (old == new)
    if shown:
        assert patched(old, shown) == new


def patched(text: str, difference: str) -> str:
    """Applies a unified difference strictly: every line that it quotes has to be there."""
    lines, result, at = text.splitlines(keepends=True), [], 0
    rows = difference.splitlines(keepends=True)
    for number, each in enumerate(rows[2:], 3):
        row = each.rstrip("\n") if rows[number : number + 1] == [NO_END] else each
        if row.startswith("@@"):
            old, new = row.split()[1:3]
            first, _, count = old[1:].partition(",")
            start = int(first) - (count != "0")
            result += lines[at:start]
            at = start
            assert int(new[1:].partition(",")[0]) in (len(result), len(result) + 1)
        elif row == NO_END:
            continue
        elif row[0] == "+":
            result.append(row[1:])
        else:
            assert lines[at] == row[1:]
            result += [row[1:]] if row[0] == " " else []
            at += 1
    return "".join(result + lines[at:])


def filtered(*arguments: str, stdin: bytes) -> tuple[int, bytes, bytes]:
    command = [sys.executable, "-m", "ptx_ls", "format", *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, input=stdin, capture_output=True, check=False, env=environment)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_standard_input() -> None:
    assert filtered("-", stdin=RAGGED.encode()) == (0, LAID_OUT.encode(), b"")
    text = "\ufeff.version 8.0\r\n// é\r\n.func  f();\r\n".encode()
    assert filtered("-", stdin=text) == (0, text.replace(b"  ", b" "), b"")
    assert filtered("-", stdin=b"") == (0, b"", b"")
    assert filtered("--stdin-filename", "k.ptx", stdin=RAGGED.encode())[1] == LAID_OUT.encode()
    found = filtered("--check", "-q", "--stdin-filename", "k.ptx", "-", stdin=RAGGED.encode())
    assert found == (1, b"Would reformat k.ptx\n", b"")
    create("ptx-ls.toml", 'exclude = ["k.*"]\n')
    assert filtered("--stdin-filename", "k.ptx", "-", stdin=RAGGED.encode())[1] != RAGGED.encode()
    left_out = "--force-exclude", "--stdin-filename", "k.ptx", "-"
    assert filtered(*left_out, stdin=RAGGED.encode()) == (0, RAGGED.encode(), b"")
    assert filtered("--check", *left_out, stdin=RAGGED.encode()) == (0, b"", b"")


def test_styles(check_command: Check) -> None:
    path = create("a.ptx", RAGGED)
    check_command("-q", "--indent", "2", "--operand-column", "0", "a.ptx")
    assert path.read_text() == HEADER + "\n.func f()\n{\n  mov.u32 %r1, 1;\n  ret;\n}\n"
    check_command("-q", "--tabs", "a.ptx")
    assert path.read_text() == HEADER + "\n.func f()\n{\n\tmov.u32             %r1, 1;\n\tret;\n}\n"


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("6-6", [*RAGGED_LINES[:5], "    ret;", *RAGGED_LINES[6:]]),
        ("6:3-7:1", [*RAGGED_LINES[:5], "    ret;", *RAGGED_LINES[6:]]),
        ("6-", [*RAGGED_LINES[:5], "    ret;", "}"]),
        ("-5", [*RAGGED_LINES[:4], "    mov.u32             %r1, 1;", *RAGGED_LINES[5:]]),
        ("8-99", RAGGED_LINES),
        ("900-", RAGGED_LINES),
    ],
)
def test_a_range(check_command: Check, part: str, expected: list[str]) -> None:
    path = create("a.ptx", "\n".join(RAGGED_LINES) + "\n")
    is_same = expected == RAGGED_LINES
    said = f"1 file {'already formatted' if is_same else 'reformatted'}\n"
    check_command(f"--range={part}", "a.ptx", err=said)
    assert path.read_text().splitlines() == expected
    path.write_text("\n".join(RAGGED_LINES) + "\n")
    assert main(["format", "-q", "--diff", f"--range={part}", "a.ptx"]) == (not is_same)


def test_a_range_beside_broken_code(check_command: Check) -> None:
    lines = [*RAGGED_LINES, ".func g() { (; }"]
    path = create("a.ptx", "\n".join(lines))
    check_command("-q", "--range=6-6", "a.ptx")
    assert path.read_text().splitlines() == [*lines[:5], "    ret;", *lines[6:]]
    reason = "not changed, because it cannot be parsed as PTX: line 8 has a syntax error"
    check_command("--range=5-8", "a.ptx", status=2, err=f"ptx-ls: a.ptx: {reason}\n")


def test_the_line_ends_of_a_range_stay(check_command: Check) -> None:
    path = create("a.ptx", "\r\n".join(RAGGED_LINES))
    check_command("-q", "--range=6-6", "a.ptx")
    assert path.read_bytes().count(b"\r\n") == path.read_bytes().count(b"\n") == 6


@pytest.mark.parametrize(
    ("content", "indented", "end"),
    [
        ("[*.ptx]\nindent_size = 2\n", "  ret;", "\n"),
        ("[*]\nindent_style = tab\nend_of_line = crlf\n", "\tret;", "\r\n"),
        ("[*]\nindent_style = tab\n[*.ptx]\nindent_style = space\n", "    ret;", "\n"),
        ("[*.cu]\nindent_size = 2\n", "    ret;", "\n"),
        ("[*]\nindent_size = 99\nmax_line_length = x\n", "    ret;", "\n"),
        ("[*]\nindent_size = tab\ntab_width = 8\n", "        ret;", "\n"),
    ],
)
def test_style_of_an_editorconfig(
    check_command: Check, content: str, indented: str, end: str
) -> None:
    create(".editorconfig", f"root = true\n{content}")
    path = create("d/a.ptx", RAGGED)
    check_command("-q", "d/a.ptx")
    assert path.read_bytes().decode().split(end)[5] == indented
    check_command("--check", "d/a.ptx", err="1 file already formatted\n")
    check_command("-q", "--isolated", "d/a.ptx")
    assert "    ret;" in path.read_text()


@pytest.mark.parametrize("end", ["lf", "crlf", "cr"])
def test_line_ends_never_change_the_code(check_command: Check, end: str) -> None:
    create(".editorconfig", f"root = true\n[*]\nend_of_line = {end}\n")
    text = RAGGED.replace(";", "; // one\rcomment\r", 1)
    path = create("a.ptx", text)
    check_command("-q", "a.ptx")
    found = path.read_bytes().decode()
    assert [each.string for each in tokenize(found)] == [each.string for each in tokenize(text)]
    check_command("--check", "a.ptx", err="1 file already formatted\n")


def test_more_specific_styles_win(check_command: Check) -> None:
    create(".editorconfig", "root = true\n[*]\nindent_size = 2\nmax_line_length = off\n")
    create("ptx-ls.toml", "[format]\nindent = 3\n")
    path = create("a.ptx", RAGGED)
    check_command("-q", "a.ptx")
    assert "\n   ret;" in path.read_text()
    check_command("-q", "--indent", "5", "a.ptx")
    assert "\n     ret;" in path.read_text()


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"[*]\nindent_size\n", ".editorconfig:2: expected `key = value`"),
        (b"\xff", ".editorconfig: not UTF-8"),
    ],
)
def test_a_broken_editorconfig(
    content: bytes, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    create(".editorconfig", content)
    path = create("a.ptx", RAGGED)
    assert main(["format", "a.ptx"]) == 2
    err = capsys.readouterr().err
    assert part in err
    assert err.count("\n") == 1
    assert path.read_text() == RAGGED


def test_an_editorconfig_above_the_root_is_not_read(check_command: Check) -> None:
    create(".editorconfig", b"\xff")
    create("d/.editorconfig", "ROOT = True\n[*]\nindent_size = 2\n")
    path = create("d/e/a.ptx", RAGGED)
    create("d/e/b.ptx", RAGGED)
    check_command("-q", "d")
    assert "\n  ret;" in path.read_text()
    create("d/.editorconfig", "[*]\nindent_size = 2\n")
    message = f"ptx-ls: {Path('.editorconfig').resolve()}: not UTF-8\n"
    check_command("d", status=2, err=message)


def test_a_patch_with_other_line_ends(capsys: pytest.CaptureFixture[str]) -> None:
    create(".editorconfig", "root = true\n[*]\nend_of_line = crlf\n")
    create("a.ptx", LAID_OUT)
    assert main(["format", "-q", "--diff", "a.ptx"]) == 1
    assert patched(LAID_OUT, capsys.readouterr().out) == LAID_OUT.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--range", "5", "a.ptx"], "expected START-END, such as `5-9`, found `5`"),
        (["--range", "0-5", "a.ptx"], "expected START-END"),
        (["--range=-", "a.ptx"], "expected START-END"),
        (["--range", "5:-6", "a.ptx"], "expected START-END"),
        (["--range", "6-5", "a.ptx"], "the range `6-5` is empty"),
        (
            ["--range", "1-5", "a.ptx", "b.ptx"],
            "--range needs exactly one file, found 2",
        ),
        ([], "expected a PATH, such as `ptx-ls format .`"),
        (["--indent", "0", "."], "expected a whole number from 1 to 16, found `0`"),
        (["--width", "x", "."], "expected a whole number from 40 to 1000, found `x`"),
        (["--chek", "."], "did you mean `--check`?"),
    ],
)
def test_wrong_arguments(
    arguments: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["format", *arguments]) == 2
    err = capsys.readouterr().err
    assert part in err
    assert err.count("\n") == 1


def test_what_cannot_be_read_does_not_keep_others(capsys: pytest.CaptureFixture[str]) -> None:
    create("a.ptx", b"\xff\xfe")
    ragged = create("b.ptx", RAGGED)
    assert main(["format", "a.ptx", "b.ptx", "c.ptx"]) == 2
    err = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2][:5] for line in err[:2]] == ["a.ptx", "c.ptx"]
    assert err[2] == "1 file reformatted"
    assert ragged.read_text() == LAID_OUT


def test_a_fault_of_ours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> str:
        raise RuntimeError("over its feet")

    monkeypatch.setattr(reformat, "formatted_document", stumble)
    path = create("a.ptx", RAGGED)
    assert main(["format", "a.ptx"]) == 3
    assert "a.ptx: internal error: RuntimeError: over its feet;" in capsys.readouterr().err
    assert path.read_text() == RAGGED


def test_permissions_and_links_stay() -> None:
    path = create("a.ptx", RAGGED)
    path.chmod(0o640)
    link = Path("link.ptx")
    link.symlink_to("a.ptx")
    assert main(["format", "-q", "link.ptx"]) == 0
    assert link.is_symlink()
    assert path.read_text() == LAID_OUT
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.slow
def test_several_processes() -> None:
    for name in "abc":
        create(f"{name}.ptx", RAGGED * 15_000)
    assert main(["format", "-q", "-j", "2", "."]) == 0
    assert all(Path(f"{name}.ptx").read_text().startswith(LAID_OUT) for name in "abc")


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["format", "--help"])
    out = capsys.readouterr().out
    assert "ptx-ls format --check ." in out
    assert "--operand-column N" in out
