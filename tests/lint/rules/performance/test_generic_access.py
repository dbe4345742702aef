"""Tests of the rule generic-access."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity
from tests.support.lint import check_no_fix, check_rule, check_rule_fix, module

RULE = "generic-access"

SHARED = """\
.shared .align 8 .b8 tile[64];
mov.u64 %rd2, tile;
cvta.shared.u64 %rd1, %rd2;
"""


def test_reported() -> None:
    check_rule(
        RULE,
        """
        .shared .align 8 .b8 tile[256];
        ld.param.b64 %rd1, [parameter];
        cvta.to.global.u64 %rd2, %rd1;
        ld.b32 %r1, [%rd2+4];
    //  ^^^^^^ generic-access: the address is always in `.global`
        @%p1 st.relaxed.gpu.v2.b32 [%rd2], {%r1, %r1};
    //       ^^^^^^^^^^^^^^^^^^^^^ generic-access: use `st.global`
        cvta.shared.u64 %rd3, tile;
        add.s64 %rd4, %rd3, 16;
        atom.add.u32 %r2, [%rd4], 1;
    //  ^^^^^^^^^^^^ generic-access: the address is always in `.shared`
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        .shared .align 8 .b8 tile[256];
        ld.param.b64 %rd1, [parameter];
        ld.b32 %r1, [%rd1];
        cvta.shared.u64 %rd2, tile;
        selp.b64 %rd3, %rd1, %rd2, %p1;
        ld.b32 %r2, [%rd3];
        ld.global.b64 %rd4, [%rd1];
        st.b32 [%rd4], %r1;
        mapa.u64 %rd5, %rd2, 1;
        st.b32 [%rd5], %r1;
        ld.shared.b32 %r3, [tile];
        ld.b32 %r3, [tile];
        atom.add.u32 %r4, [tile+4], %r3;
    """,
    )


def test_pointer_that_a_loop_changes() -> None:
    check_rule(
        RULE,
        """
        ld.param.b64 %rd1, [parameter];
        cvta.to.global.u64 %rd2, %rd1;
    next:
        ld.b32 %r1, [%rd2];
    //  ^^^^^^ generic-access: `.global`
        add.s64 %rd2, %rd2, 4;
        setp.ne.b32 %p1, %r1, 0;
        @%p1 bra next;
    """,
    )


def test_fix() -> None:
    check_rule_fix(
        RULE,
        "ld.param.b64 %rd2, [parameter];\ncvta.global.u64 %rd1, %rd2;\n"
        "red.release.gpu.add.u32 [%rd1+8], %r1;",
        "ld.param.b64 %rd2, [parameter];\ncvta.global.u64 %rd1, %rd2;\n"
        "red.release.gpu.global.add.u32 [%rd1+8], %r1;",
    )
    check_rule_fix(
        RULE,
        f"{SHARED}ld.volatile.u32 %r1, [%rd1+8];",
        f"{SHARED}ld.volatile.shared.u32 %r1, [%rd2+8];",
    )


def test_no_fix_without_the_address_before() -> None:
    check_no_fix(RULE, f"{SHARED}add.s64 %rd2, %rd2, 8;\nld.u32 %r1, [%rd1+8];")
    check_no_fix(RULE, f"{SHARED}add.s64 %rd3, %rd1, 8;\nld.u32 %r1, [%rd3];")


def test_severities() -> None:
    for statements, expected in (
        (f"{SHARED}ld.u32 %r1, [%rd1];", Severity.HINT),
        (
            "ld.param.b64 %rd1, [parameter];\ncvta.to.global.u64 %rd2, %rd1;\nld.u32 %r1, [%rd2];",
            Severity.INFORMATION,
        ),
    ):
        found = lint(Document.read(module(statements)))
        assert [one.severity for one in found if one.rule == RULE] == [expected]
