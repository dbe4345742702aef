"""Tests of the rule scalar-accesses."""

from __future__ import annotations

from textwrap import dedent

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from tests.support.lint import applied, check_rule, module

RULE = "scalar-accesses"

HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.global .align 16 .b32 table[64];
.visible .entry k(.param .b64 .ptr .global .align 8 pairs, .param .b64 any)
{
.reg .pred %p<4>;
.reg .b32 %r<10>;
.reg .b64 %rd<10>;
ld.param.b64 %rd1, [pairs];
ld.param.b64 %rd2, [any];
"""


def check(marked: str) -> None:
    """Fails unless the rule reports exactly what is marked, among accesses to some arrays."""
    check_rule(RULE, f"{HEAD}{dedent(marked)}}}\n")


def test_reported() -> None:
    check(
        """
        ld.global.b32 %r1, [table+16];
    //  ^^^^^^^^^^^^^ scalar-accesses: 4 `ld.global.b32` instructions access neighbouring elements
        ld.global.b32 %r2, [table+20];
        ld.global.b32 %r3, [table+24];
        ld.shared.b32 %r5, [%r1];
        ld.global.b32 %r4, [table+28];
        st.global.b32 [%rd1+12], %r1;
    //  ^^^^^^^^^^^^^ scalar-accesses: 2 `st.global.b32` instructions access neighbouring elements
        st.global.b32 [%rd1+8], %r2;
        """
    )


def test_pointer_that_a_loop_moves() -> None:
    check(
        """
        mov.b32 %r1, 0;
    next:
        ld.global.nc.b32 %r2, [%rd1];
    //  ^^^^^^^^^^^^^^^^ scalar-accesses: one `ld.global.nc.v2.b32` does the same work
        ld.global.nc.b32 %r3, [%rd1+4];
        add.s64 %rd1, %rd1, 8;
        add.s32 %r1, %r1, 1;
        setp.lt.s32 %p1, %r1, 9;
        @%p1 bra next;
        """
    )


def test_quiet() -> None:
    check(
        """
        ld.global.b32 %r1, [%rd2];
        ld.global.b32 %r2, [%rd2+4];
        ld.global.b32 %r1, [%rd1+4];
        ld.global.b32 %r2, [%rd1+8];
        ld.global.b32 %r1, [table];
        ld.global.b32 %r2, [table+8];
        ld.volatile.global.b32 %r1, [table+32];
        ld.volatile.global.b32 %r2, [table+36];
        @%p1 ld.global.b32 %r1, [table+48];
        @%p1 ld.global.b32 %r2, [table+52];
        ld.global.b64 %rd3, [%rd1+16];
        ld.global.b64 %rd4, [%rd1+24];
        """
    )


def test_something_in_between() -> None:
    for statement in (
        "st.global.b32 [%rd2], %r1;",
        "st.b32 [%rd2], %r1;",
        "bar.sync 0;",
        "@%p1 bra next;\nnext:",
        "atom.global.add.u32 %r1, [%rd2], 1;",
        "fence.acq_rel.gpu;",
    ):
        check(f"ld.global.b32 %r1, [table];\n{statement}\nld.global.b32 %r2, [table+4];\n")
    for statement in ("ld.global.b32 %r1, [%rd2];", "st.global.b64 [%rd2], %rd1;"):
        check(f"st.global.b32 [table], %r1;\n{statement}\nst.global.b32 [table+4], %r2;\n")


def test_fix() -> None:
    code = ".reg .b64 %a;\nmov.b64 %a, table;\n"
    before = "ld.global.f32 %f1, [%a+4];\nld.global.f32 %f2, [%a];\n"
    declared = ".global .align 8 .b32 table[4];\n"
    text = module(code + before).replace(".visible", f"{declared}.visible")
    (found,) = [one for one in lint(Document.read(text)) if one.rule == RULE]
    after = applied(Document.read(text), found.fixes[0].edits)
    assert "[%a]" in after
    assert "ld.global.v2.f32 {%f2, %f1}, [%a];\n}" in after


def test_no_fix_if_the_address_is_overwritten() -> None:
    code = "ld.global.b64 %rd1, [%rd1];\nld.global.b64 %rd2, [%rd1+8];\n"
    declared = ".global .align 16 .b64 table[4];\n"
    text = module(f"mov.b64 %rd1, table;\n{code}").replace(".visible", f"{declared}.visible")
    assert RULE not in {one.rule for one in lint(Document.read(text))}
