"""Fixes of heads, declarations and calls, found in the text."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from tests.support.lint import HEADER, applied

pytestmark = pytest.mark.excerpts

FIXES = {
    ".entry k() .maxntid 32 .reqntid 64 { ret; }": ".entry k() .maxntid 32 { ret; }",
    ".func f() .maxntid 32, 1 { ret; }": ".func f() { ret; }",
    ".entry k() .minnctapersm 2 .maxnreg 32 { ret; }": ".entry k() .maxnreg 32 { ret; }",
    ".entry k() .maxnctapersm 4 .maxntid 32 { ret; }": (
        ".entry k() .minnctapersm 4 .maxntid 32 { ret; }"
    ),
    ".global .align 3 .b32 x;": ".global .align 4 .b32 x;",
    ".entry k() { .reg .b32 %r<3>; .reg .pred %p<3>; @%r1 bra L; L: ret; }": (
        ".entry k() { .reg .b32 %r<3>; .reg .pred %p<3>; @%p1 bra L; L: ret; }"
    ),
    ".shared .b32 x[2] = {1, 2};": ".shared .b32 x[2];",
    ".shared .b32 a = 1, b;": ".shared .b32 a, b;",
    ".shared .b32 x[2] = {1, 2}, y;": ".shared .b32 x[2], y;",
    ".func f() .maxntid 32, 1 .noreturn { ret; }": ".func f() .noreturn { ret; }",
    ".entry k() { .reg .b32 WARP_SZ; ret; }": ".entry k() { .reg .b32 WARP_SZ_2; ret; }",
    ".func (.param .b32 r) f() { ret; }\n.entry k() { call f; ret; }": (
        ".func (.param .b32 r) f() { ret; }\n.entry k() { call (_), f; ret; }"
    ),
    ".entry k() { .reg .b16 %h<3>; @%h1 bra L; L: ret; }": None,
    "/* never closed": "/* never closed */",
}
"""The declaration after its first fix; None where none is offered."""


def check_first_fix(before: str, after: str | None) -> None:
    """Fails unless the first fix of the first diagnostic makes `after` of declarations."""
    document = Document.read(f"{HEADER}{before}\n")
    fixes = lint(document)[0].fixes
    fixed = applied(document, fixes[0].edits) if fixes else None
    assert fixed == (None if after is None else f"{HEADER}{after}\n")


@pytest.mark.parametrize(("before", "after"), FIXES.items())
def test_first_fix(before: str, after: str | None) -> None:
    check_first_fix(before, after)


def test_what_took_the_place_of_a_modifier() -> None:
    before = (
        ".version 8.5\n.target sm_80\n.address_size 64\n.entry k() {\n"
        ".reg .b32 %r<9>;\n.reg .f32 %f<5>;\n"
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, "
        "{%r3, %r4}, {%f1, %f2, %f3, %f4}, %r5, 0;\nret;\n}\n"
    )
    document = Document.read(before)
    (found,) = lint(document)
    assert found.fixes[0].title == "Replace `.sp` with `.sp::ordered_metadata`"
    assert "mma.sp::ordered_metadata.sync" in applied(document, found.fixes[0].edits)
