"""Which names an instruction reads and writes: by its operands' roles, guards and pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.statements import statements_on
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.instructions.accesses import accesses, accesses_in

CORPUS = Path(__file__).parents[2] / "corpus" / "ptx"


def check_accesses(statement: str, expected: str) -> None:
    """Names with `r` for read, `w` for written, `g` guard, `a` in an address, `p` in part."""
    document = Document.read(f".entry k() {{\n{statement}\n}}\n")
    (found,) = statements_on(document, 1)
    shown = []
    for name, access, is_conditional in accesses_in(found.record, found.text):
        marks = "r" * access.is_read + "w" * access.is_write + "g" * access.is_guard
        marks += "a" * access.is_address + "p" * access.is_partial
        shown.append(f"{name}:{marks}")
        assert is_conditional == statement.startswith("@")
    assert " ".join(shown) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("add.u32 %r1, %r2, %r1;", "%r1:w %r2:r %r1:r"),
        ("@!%p1 mov.b64 {%r1, %r2}, %rd1;", "%p1:rg %r1:w %r2:w %rd1:r"),
        ("setp.lt.and.s32 %p1|%p2, %r1, 3, !%p3;", "%p1:w %p2:w %r1:r %p3:r"),
        ("st.global.v2.u32 [%rd1+4], {%r1, %r2};", "%rd1:ra %r1:r %r2:r"),
        ("ld.param.u32 %r1, [k_param_0];", "%r1:w k_param_0:ra"),
        ("atom.global.add.u32 %r1, [%rd1], %r2;", "%r1:w %rd1:ra %r2:r"),
        ("red.global.add.u32 [%rd1], %r2;", "%rd1:ra %r2:r"),
        ("call (%r1), f, (%r2, %r3);", "%r1:w f:r %r2:r %r3:r"),
        ("call (r), %rd1, (a), proto;", "r:w %rd1:r a:r proto:r"),
        ("call.uni f;", "f:r"),
        ("@%p1 bra L;", "%p1:rg L:r"),
        ("mov.f32 %v.x, %f1;", "%v:wp %f1:r"),
        ("mov.u32 %r1, %tid.x;", "%r1:w %tid:r"),
        ("tex.2d.v4.f32.f32 {a, _, _, b}, [t, {x, y}];", "a:w b:w t:ra x:ra y:ra"),
        ("shfl.sync.up.b32 %r1|%p1, %r2, 1, 2, -1;", "%r1:w %p1:w %r2:r"),
        ("elect.sync _|%p1, -1;", "%p1:w"),
        (
            "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f1, %f2}, %rd1, %rd2, %p1, 1, 1;",
            "%f1:rw %f2:rw %rd1:r %rd2:r %p1:r",
        ),
        ("frobnicate.u32 %r1, %r2, [%r3];", "%r1:w %r2:r %r3:ra"),
        ("frobnicate [%r1], %r2;", "%r1:ra %r2:r"),
        ("@%p1 add.u32 /* %r9 */ %r1, %r2, 1;", "%p1:rg %r1:w %r2:r"),
        ("add.u32 %r1, %r2, (;", "%r1:w %r2:r"),
        ("ret;", ""),
    ],
)
def test_accesses(statement: str, expected: str) -> None:
    check_accesses(statement, expected)


@pytest.mark.slow
def test_a_shape_tells_what_the_types_tell() -> None:
    for path in sorted(CORPUS.rglob("*.ptx")):
        document = Document.read(path.read_text(encoding="utf-8", errors="replace")[:20_000])
        analysis = Analysis(document)
        for line in range(0, len(document.lines), 23):
            for statement in statements_on(document, line):
                judged = analysis.instruction(statement)
                if judged is None or judged.verdict is None or judged.verdict.violations:
                    continue
                found = accesses_in(statement.record, statement.text)
                assert tuple(each.access for each in found) == accesses(judged), statement.text
