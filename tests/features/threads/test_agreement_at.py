"""Hovers on the threads that execute a place together."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.threads.agreement_at import agreement_at, is_about_threads
from ptx_ls.semantics.analysis import Analysis
from tests.support.fixture import parse_fixture

HEAD = """\
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
.reqntid 128
{
.reg .pred %p<9>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
"""


def check_agreement(marked: str, expected: str) -> None:
    """Checks the description of the threads at the cursor, in the body of a kernel."""
    fixture = parse_fixture(f"{HEAD}{dedent(marked).lstrip()}\nret;\n}}\n")
    analysis = Analysis(Document.read(fixture.text))
    assert is_about_threads(analysis, fixture.cursor) or not expected
    assert agreement_at(analysis, fixture.cursor) == expected


_LANES = """\
mov.u32 %r1, %laneid;
setp.lt.u32 %p1, %r1, 4;
{}
mov.u32 %r2, 1;
{}
mov.u32 %r3, 1;
"""


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (
            _LANES.format("@%p1 b<|>ra A;", "A:"),
            (
                "Lanes of a warp take different paths, depending on `%laneid` (line 10), "
                "through line 11."
            ),
        ),
        (
            _LANES.format("@%p<|>1 bra A;", "A:"),
            (
                "`%p1` differs between lanes of a warp; it depends on `%laneid` (line 10), "
                "through line 11."
            ),
        ),
        (_LANES.format("@%p1 bra A;", "A<|>:"), "All live threads reach this point."),
        (
            _LANES.format("@%p1 bra A;\nB<|>:", "A:"),
            (
                "Only some lanes of a warp reach this point: the branch on line 12 depends on "
                "`%laneid` (line 10), through line 11."
            ),
        ),
        (
            "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p<|>1, %r1, 64;",
            "`%p1` is the same in all lanes of a warp; it depends on `%tid.x` (line 10).",
        ),
        (
            "ld.param.u32 %r1, [n];\nsetp.lt.u32 %p<|>1, %r1, 64;",
            "`%p1` is the same in all threads.",
        ),
        (
            (
                "ld.param.u64 %rd1, [p];\natom.global.add.u32 %r1, [%rd1], 1;\n"
                "setp.lt.u32 %p1, %r1, 64;\n@%p1 br<|>a A;\nmov.u32 %r2, 1;\nA:\nmov.u32 %r3, 1;"
            ),
            (
                "Lanes of a warp may take different paths, depending on the result of `atom` "
                "(line 11), through line 12."
            ),
        ),
        (
            (
                "ld.param.u64 %rd1, [p];\natom.global.add.u32 %r1, [%rd1], 1;\n"
                "setp.lt.u32 %p1, %r1, 64;\n@%p1 br<|>a.uni A;\nmov.u32 %r2, 1;\n"
                "A:\nmov.u32 %r3, 1;"
            ),
            (
                "All lanes of a warp take the same path, depending on the result of `atom` "
                "(line 11), through line 12."
            ),
        ),
        (
            "setp.lt.u32 %p<|>1, %r8, 64;",
            "`%p1` may differ between lanes of a warp; `%r8` may have no value here.",
        ),
        (
            (
                "mov.u32 %r1, %laneid;\nshl.b32 %r2, %r1, 2;\nadd.u32 %r3, %r2, 1;\n"
                "setp.lt.u32 %p1, %r3, 9;\n@%p1 br<|>a A;\nmov.u32 %r2, 1;\nA:\nmov.u32 %r3, 1;"
            ),
            (
                "Lanes of a warp take different paths, depending on `%laneid` (line 10), "
                "through lines 11, 12 and 13."
            ),
        ),
        ("b<|>ra A;\nA:", ""),
        ("mov.u32 %r<|>1, %tid.x;", ""),
        ("setp.lt.u32 %p<|>1, %r8", ""),
    ],
)
def test_agreement(marked: str, expected: str) -> None:
    check_agreement(marked, expected)
