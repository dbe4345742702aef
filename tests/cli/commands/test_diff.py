import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ptx_ls.cli.main import main
from tests.support.programs import require_program

HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n"
KERNEL = """\
.visible .entry scale(.param .u64 data, .param .u32 factor)
.maxntid 128, 1, 1
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [data];
    cvta.to.global.u64 %rd2, %rd1;
    ld.param.u32 %r1, [factor];
    ld.global.u32 %r2, [%rd2];
    mul.lo.s32 %r3, %r1, %r2;
    st.global.u32 [%rd2], %r3;
    ret;
}
"""
OTHER = ".visible .entry _Z3barv() { bar.sync 0; ret; }\n"
RENAMED = (
    KERNEL.replace("%r1", "%r31").replace("%r2", "%r30").replace("<4>", "<40>").replace("data", "p")
)


class Check:
    """Runs `ptx-ls diff` in a directory with some modules, and returns its output."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str, status: int = 0, err: str = "") -> str:
        assert main(("diff", *arguments)) == status
        printed = self._capsys.readouterr()
        assert printed.err == (f"ptx-ls: {err}\n" if err else "")
        return printed.out


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


@pytest.fixture
def check_diff(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Check:
    monkeypatch.chdir(tmp_path)
    write("old.ptx", HEADER + KERNEL + OTHER)
    write("same.ptx", "// another compiler\n" + HEADER + RENAMED + OTHER)
    write("new.ptx", HEADER + RENAMED.replace("mul.lo.s32", "mul24.lo.s32") + OTHER)
    return Check(capsys)


def test_files_of_the_same_meaning(check_diff: Check) -> None:
    said = "old.ptx and same.ptx are the same (2 functions)\n"
    assert check_diff("old.ptx", "same.ptx") == said


def test_a_changed_statement(check_diff: Check) -> None:
    said = check_diff("old.ptx", "new.ptx", "-U1", status=1)
    assert (
        said
        == """\
--- old.ptx
+++ new.ptx
1 of 2 functions differs: scale

scale: 1 changed
@@ -12 +12 @@
    ld.global.u32 %r30, [%rd2];
-   mul.lo.s32 %r3, %r31, %r30;
+   mul24.lo.s32 %r3, %r31, %r30;
    st.global.u32 [%rd2], %r3;
"""
    )


def test_functions_of_one_file_only(check_diff: Check) -> None:
    write("less.ptx", HEADER + KERNEL)
    removed, added = (
        check_diff(*files, status=1).splitlines()[-1]
        for files in (("old.ptx", "less.ptx"), ("less.ptx", "old.ptx"))
    )
    assert removed == "- bar() [_Z3barv] (2 statements)"
    assert added == "+ bar() [_Z3barv] (2 statements)"


def test_a_summary(check_diff: Check) -> None:
    said = check_diff("old.ptx", "new.ptx", "--summary", status=1)
    assert said.splitlines()[2:] == ["1 of 2 functions differs: scale", "scale: 1 changed"]


def test_properties_of_functions(check_diff: Check) -> None:
    text = RENAMED.replace("128, 1, 1", "256").replace(".reg .b64", ".shared .b8 s[8]; .reg .b64")
    write("new.ptx", HEADER.replace("8.0", "8.3") + text + OTHER)
    assert check_diff("old.ptx", "new.ptx", status=1).splitlines()[3:] == [
        "  .version: 8.0 -> 8.3",
        "",
        "scale: same statements",
        "  .maxntid: 128 -> 256",
        "  shared memory: none -> 8 bytes",
        "  unused variable: none -> .shared .b8 [8]",
    ]


def test_moved_statements(check_diff: Check) -> None:
    lines = KERNEL.splitlines(keepends=True)
    write("new.ptx", HEADER + "".join([*lines[:5], lines[7], *lines[5:7], *lines[8:]]) + OTHER)
    said = check_diff("old.ptx", "new.ptx", "-U0", status=1)
    assert said.splitlines()[4:] == [
        "scale: 1 statement moved, nothing else",
        "@@ +9 @@",
        ">   ld.param.u32 %r1, [factor];  // moved from line 11",
        "@@ -11 @@",
        "<   ld.param.u32 %r1, [factor];  // moved to line 9",
    ]


def test_json(check_diff: Check) -> None:
    [found] = json.loads(check_diff("old.ptx", "new.ptx", "--output-format", "json", status=1))
    assert (found["old"], found["new"], found["same"]) == ("old.ptx", "new.ptx", False)
    changed, same = found["functions"]
    assert same == {"name": "_Z3barv", "source_name": "bar()", "kind": "same"}
    assert changed["counts"] == {"changed": 1, "removed": 0, "added": 0, "moved": 0}
    assert changed["statements"] == [
        {
            "kind": "changed",
            "old": "mul.lo.s32 %r3, %r31, %r30;",
            "new": "mul24.lo.s32 %r3, %r31, %r30;",
            "old_line": 13,
            "new_line": 13,
        }
    ]


def test_html_is_one_file_and_escaped(check_diff: Check) -> None:
    write("<b>.ptx", HEADER + KERNEL.replace("mul.lo", "mul.hi") + OTHER)
    assert not check_diff("old.ptx", "<b>.ptx", "--output-format=html", "-o", "d.html", status=1)
    page = Path("d.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "&lt;b&gt;.ptx" in page
    assert "<b>.ptx" not in page
    assert "mul<del>.lo</del>.s32" in page
    assert "mul<ins>.hi</ins>.s32" in page
    assert not any(text in page for text in ("<script", "http", "src=", "href="))


def test_colours(check_diff: Check) -> None:
    said = check_diff("old.ptx", "new.ptx", "--color=always", status=1)
    assert "\x1b[31m-   mul.lo.s32" in said
    assert "\x1b" not in check_diff("old.ptx", "new.ptx", status=1)


def test_only_some_functions(check_diff: Check) -> None:
    assert "(1 function)" in check_diff("old.ptx", "new.ptx", "--function", "bar()")
    assert "1 of 1 function differs" in check_diff(
        "old.ptx", "new.ptx", "--function", "sca", status=1
    )
    message = "no function `nosuch` in the files"
    assert not check_diff("old.ptx", "new.ptx", "--function", "nosuch", status=2, err=message)


def test_requirements(check_diff: Check) -> None:
    write("new.ptx", HEADER + KERNEL.replace("ret;", "griddepcontrol.wait; ret;") + OTHER)
    said = check_diff("old.ptx", "new.ptx", "--requirements", "--summary", status=1)
    assert "-> sm_90 (`griddepcontrol.wait`, line 15)\n" in said


def test_directories(check_diff: Check) -> None:
    for path, text in (("a/x/k.ptx", KERNEL), ("a/only.ptx", OTHER), ("a/b.ptx", OTHER)):
        write(path, HEADER + text)
    write("c/x/k.ptx", HEADER + KERNEL.replace("mul", "mad"))
    write("c/b.ptx", HEADER + OTHER)
    said = check_diff("a", "c", "--summary", status=1)
    assert [line for line in said.splitlines() if line[:3] in ("---", "+++")] == [
        "--- a/only.ptx",
        f"+++ {os.devnull}",
        "--- a/x/k.ptx",
        "+++ c/x/k.ptx",
    ]
    assert said.endswith("\n2 files differ, 1 is the same\n")
    assert check_diff("a", "a") == "no files differ, 3 are the same\n"
    assert check_diff("a/b.ptx", "c") == "a/b.ptx and c/b.ptx are the same (1 function)\n"


def test_standard_input(check_diff: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("old.ptx").open(encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert check_diff("-", "same.ptx") == "<stdin> and same.ptx are the same (2 functions)\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no FIFOs")
def test_a_fifo_as_shells_name_the_output_of_a_command(check_diff: Check) -> None:
    os.mkfifo("fifo")  # type: ignore[attr-defined,unused-ignore]  # not on Windows
    text = Path("same.ptx").read_text("utf-8")
    writer = threading.Thread(target=lambda: Path("fifo").write_text(text, encoding="utf-8"))
    writer.start()
    assert check_diff("old.ptx", "fifo") == "old.ptx and fifo are the same (2 functions)\n"
    writer.join()


def test_an_empty_file_and_one_that_does_not_exist(check_diff: Check) -> None:
    write("empty.ptx", "")
    assert "2 of 2 functions differ (2 added)" in check_diff("empty.ptx", "old.ptx", status=1)
    assert "2 of 2 functions differ (2 removed)" in check_diff("old.ptx", os.devnull, status=1)
    assert "are the same (0 functions)" in check_diff("empty.ptx", "empty.ptx")


def test_a_function_that_cannot_be_read_is_compared_as_text(check_diff: Check) -> None:
    write("new.ptx", HEADER + KERNEL.replace("[%rd2];", "[%rd2;", 1) + OTHER)
    said = check_diff("old.ptx", "new.ptx", "-U0", status=1)
    assert said.splitlines()[4:6] == [
        "scale: 1 removed, 1 added",
        "  compared as text: line 12 of the new file has a syntax error",
    ]
    assert "bar" not in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected two files or directories, found none"),
        (("old.ptx",), "expected two files or directories, found 1"),
        (("-", "-"), "only one of the files can be `-` (standard input)"),
        (("old.ptx", "nosuch.ptx"), "nosuch.ptx: No such file or directory"),
        (
            ("old.ptx", "k.cu"),
            "k.cu: not PTX: `.cu` is the extension of a file in another language",
        ),
        (("old.ptx", "text.ptx"), "text.ptx: not PTX: it does not begin with `.version`"),
        (("old.ptx", "nul.ptx"), "nul.ptx: a binary file: NUL at byte 1 (line 1)"),
        (("folder", "folder"), "neither directory contains a .ptx file"),
        (("--git", "old.ptx", "new.ptx"), "--git: expected 7 arguments from git, found 2"),
        (
            ("old.ptx", "new.ptx", "-o", "new.ptx"),
            "new.ptx: not overwritten, because it is a PTX file",
        ),
        (("old.ptx", "new.ptx", "-o", "no/x"), "no/x: No such file or directory"),
        (
            ("old.ptx", "new.ptx", "--summry"),
            "unknown option `--summry` (did you mean `--summary`?)",
        ),
    ],
)
def test_bad_input_gets_one_line(
    check_diff: Check,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    message: str,
) -> None:
    write("k.cu", "int x;")
    write("text.ptx", "hello")
    write("nul.ptx", "a\0")
    Path("folder").mkdir()
    before = Path("new.ptx").read_bytes()
    assert check_diff("old.ptx", "same.ptx", "-q") == ""
    assert main(("diff", *arguments)) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(f"ptx-ls: {message}")
    assert printed.err.count("\n") == 1
    assert printed.out == ""
    assert Path("new.ptx").read_bytes() == before


BINARY = "ptx-ls: moved.ptx: a binary file: NUL at byte 0 (line 1)\n"


def git(*arguments: str, err: str = "") -> str:
    done = subprocess.run(
        [
            require_program("git", "apt-get install git"),
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            *arguments,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == err
    return done.stdout


@pytest.mark.slow
def test_git(check_diff: Check) -> None:
    assert check_diff("old.ptx", "old.ptx")
    git("init", "-q", ".")
    write(".gitattributes", "*.ptx diff=ptx\n")
    write("k.ptx", HEADER + KERNEL)
    git("add", ".")
    git("commit", "-qm", "one")
    command = f"'{sys.executable}' -m ptx_ls"
    write("k.ptx", HEADER + RENAMED)
    git("config", "diff.ptx.command", f"{command} diff --git")
    assert git("diff") == "a/k.ptx and b/k.ptx are the same (1 function)\n"
    git("config", "--unset", "diff.ptx.command")
    git("config", "diff.ptx.textconv", f"{command} normalize")
    assert git("diff") == ""
    write("k.ptx", HEADER + RENAMED.replace("mul.lo", "mul.hi"))
    assert [line for line in git("diff", "-U0").splitlines() if "mul." in line] != []
    git("config", "diff.ptx.command", f"{command} diff --git")
    assert "-   mul.lo.s32 %r3, %r31, %r30;\n+   mul.hi" in git("diff")
    git("mv", "k.ptx", "moved.ptx")
    assert git("diff", "-M20%", "HEAD").startswith("--- a/k.ptx\n+++ b/moved.ptx\n")
    Path("moved.ptx").write_bytes(b"\0")
    write("next.ptx", HEADER + KERNEL)
    git("add", ".")
    assert "+ scale (7 statements)" in git("diff", "--no-renames", "HEAD", err=BINARY)
    git("rm", "-qf", "moved.ptx", "next.ptx")
    assert "- scale (7 statements)" in git("diff", "HEAD")
    git("reset", "-q", "--hard")
    write("k.ptx", HEADER + OTHER)
    said = git("difftool", "-y", "--extcmd", f"{command} diff --summary", "HEAD")
    assert "2 of 2 functions differ (1 removed, 1 added): scale, bar" in said
