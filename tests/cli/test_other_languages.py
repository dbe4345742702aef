"""Text that cannot be parsed as PTX is never rewritten: not by `format`, fixes or a filter."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.cli.main import main
from ptx_ls.document.document import Document
from ptx_ls.lint.fixes.apply import fix
from ptx_ls.semantics.recognition import why_not_ptx
from tests.support.lint import module

OTHERS = Path(__file__).parents[1] / "corpus" / "others"
KERNEL = module("  add.s32 %r1 , %r2, %r3 ;;\nret;;\n")
SPOILT = KERNEL.replace("add.s32 %r1 ,", "add.s32 %r1 %r2 ) ,")
TEXTS = {
    "python": "def f(x):\n    if x:\n        return [1,  2];;\n",
    "shell": "#!/bin/sh\nfor f in *.ptx; do\n  ptxas  $f;;\ndone\n",
    "cuda": 'extern "C"  __global__ void k(int *p) {\n  p[0] = 1;;\n}\n',
    "inline": '__device__ void f() { asm("  add.s32 %0, %1,  %2;;" : "=r"(a)); }\n',
    "raw string": f'const char *k = R"(\n{KERNEL})";\n',
    "llvm": 'target triple = "nvptx64"\ndefine void @f()  {\n  ret void;;\n}\n',
    "gas": '\t.version "01.01"\n\t.text\nf:\n\tmovl  $1, %eax;;\n\tret\n',
    "sass": "\t/*0000*/                   MOV R1, c[0x0][0x28] ;  /* 0x00000a00ff017624 */;;\n",
    "listing": f"Fatbin ptx code:\n================\narch =  sm_80;;\n\n{KERNEL}",
    "markdown": f"# A kernel;;\n\n- one\n    - two\n\n```ptx\n{KERNEL}```\n",
    "json": '{"a":  [1, 2],\n    "b": {};; }\n',
    "yaml": "a:\n  - b:  1;;\n    c: [1]\n",
    "make": "all: a.o\n\tptxas  $<;;\n",
    "diff": f"--- a.ptx\n+++ b.ptx\n@@ -1,2 +1,2 @@\n-{KERNEL}+{KERNEL}",
    "template": KERNEL.replace("add.s32", "{{ opcode }}"),
    "no header": ".func f()\n{\n  add.s32 %r1 , %r2, %r3 ;;\n}\n",
    "late header": ".target sm_80\n" + KERNEL,
    "syntax error": SPOILT,
    "open brace": KERNEL.removesuffix("}\n"),
    "closed twice": KERNEL + "}\n",
    "text after it": KERNEL + "\nptxas info    : 0 bytes gmem;;\n",
    "merge conflict": KERNEL.replace("ret;;", "<<<<<<< HEAD\nret;;\n=======\n  exit;\n>>>>>>> x\n")
    + "<<<<<<< HEAD\n",
    "words": "The  add.s32 instruction;; adds.\n",
}
WORDS = [*KERNEL.split(" "), *TEXTS.values(), ";", ",", "}"]
NAMES = ["k.cu", "k.CUH", "x.sh", "s.py", "m.ll", "README.md", "Makefile", "a.c", "a.ptx.diff"]


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Runs each test in an empty directory."""
    monkeypatch.chdir(tmp_path)
    yield
    gc.enable()  # the command leaves it switched off


def check_left_alone(
    capsys: pytest.CaptureFixture[str], content: bytes, name: str = "a.ptx"
) -> None:
    """Fails if a command writes a file of that content, or does not say why it did not."""
    path = Path(name)
    path.write_bytes(content)
    for mode in ([], ["--check"], ["--diff"]):
        assert main(["format", name, *mode]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"ptx-ls: {name}: ")
        assert err.count("\n") == 1
    for mode in (["--fix"], ["--fix", "--unsafe-fixes"]):
        assert main(["lint", name, *mode]) in (1, 2)
        assert " fixed\n" not in capsys.readouterr().err
    assert path.read_bytes() == content


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_other_text(capsys: pytest.CaptureFixture[str], text: str) -> None:
    check_left_alone(capsys, text.encode())
    assert why_not_ptx(Document.read(text))


@pytest.mark.parametrize("path", sorted(OTHERS.iterdir()), ids=lambda path: path.name)
def test_other_files(capsys: pytest.CaptureFixture[str], path: Path) -> None:
    check_left_alone(capsys, path.read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_other_names(capsys: pytest.CaptureFixture[str], name: str) -> None:
    check_left_alone(capsys, KERNEL.encode(), name)


@pytest.mark.parametrize("content", [b"\x7fELF\x02\x01\x01\0\0", b"\xff\xfe.\0v\0", b"\0"])
def test_binary_files(capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    check_left_alone(capsys, content)


@pytest.mark.parametrize("name", ["k.ptx", "k", "k.txt", "k.s", "k.ptx.orig"])
def test_ptx_has_any_other_name(name: str) -> None:
    Path(name).write_text(KERNEL)
    assert main(["lint", "--fix", name]) == 0
    assert Path(name).read_text() == KERNEL.replace(";;", ";")
    assert main(["format", name]) == 0


def test_a_fix_says_why_it_was_not_made(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ptx").write_text(SPOILT)
    assert main(["lint", "--fix", "--output-format", "concise", "a.ptx"]) == 2
    out, err = capsys.readouterr()
    assert "[syntax-error]" in out
    assert err.startswith("ptx-ls: a.ptx: not changed, because it cannot be parsed as PTX: line 12")


def test_a_text_that_fixes_make_readable_is_fixed() -> None:
    Path("a.ptx").write_text(module("add.s32 %r1, %r2, %r3\nret;;\n"))
    assert main(["lint", "--fix", "a.ptx"]) == 0
    assert Path("a.ptx").read_text() == module("add.s32 %r1, %r2, %r3;\nret;\n")


@pytest.mark.slow
@pytest.mark.parametrize("content", [*(each.encode() for each in TEXTS.values()), b"\0\n", b""])
def test_a_filter_loses_nothing(content: bytes) -> None:
    command = [sys.executable, "-m", "ptx_ls", "format", "-"]
    done = subprocess.run(command, input=content, capture_output=True, check=False)
    assert done.stdout == content
    assert done.returncode == (2 if content else 0)
    assert done.stderr.count(b"\n") == (1 if content else 0)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_what_is_fixed_reads_as_ptx(text: str) -> None:
    for has_unsafe in (False, True):
        fixed = fix(text, has_unsafe=has_unsafe)
        assert fixed.text == text or not why_not_ptx(Document.read(fixed.text))
        assert not fixed.refusal or fixed == (text, 0, fixed.refusal)


@pytest.mark.parametrize("name", ["k.cu", "s.py", "m.ll", "run.sh"])
def test_lint_says_in_one_line_that_a_file_is_in_another_language(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    Path(name).write_text("a b c\n" * 50)
    assert main(["lint", name]) == 2
    suffix = Path(name).suffix
    message = (
        f"ptx-ls: {name}: not PTX: `{suffix}` is the extension of a file in another language\n"
    )
    assert capsys.readouterr() == ("", message)


def test_a_script_without_a_suffix(capsys: pytest.CaptureFixture[str]) -> None:
    Path("run").write_text("#!/bin/sh\necho hello\n" * 50)
    assert main(["lint", "run"]) == 2
    assert capsys.readouterr() == ("", "ptx-ls: run: not PTX: `#!` begins a script\n")


def test_ptx_is_linted_under_any_name(capsys: pytest.CaptureFixture[str]) -> None:
    Path("k.cu").write_text(module("rat;"))
    assert main(["lint", "k.cu", "-q", "--output-format", "concise"]) == 1
    assert "unknown opcode `rat`" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command", ["lint", "requirements", "cfg", "pressure", "sync", "normalize"]
)
def test_every_command_refuses_a_file_in_another_language(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    Path("k.cu").write_text("__global__ void k() {}\n")
    assert main([command, "k.cu"]) == 2
    message = "ptx-ls: k.cu: not PTX: `.cu` is the extension of a file in another language\n"
    assert capsys.readouterr() == ("", message)
    Path("k.cu").write_text(module("ret;"))
    assert main([command, "k.cu"]) == 0
