"""Tests of the rule cacheable-load."""

from __future__ import annotations

from textwrap import dedent

from tests.support.lint import check_rule, check_rule_fix

RULE = "cacheable-load"

HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .b64 from, .param .b64 to)
{
.reg .pred %p<4>;
.reg .b32 %r<10>;
.reg .b64 %rd<10>;
ld.param.b64 %rd1, [from];
ld.param.b64 %rd2, [to];
next:
"""
TAIL = """\
add.s64 %rd1, %rd1, 4;
add.s64 %rd2, %rd2, 4;
setp.ne.b32 %p1, %r1, 0;
@%p1 bra next;
"""


def check(marked: str, tail: str = "") -> None:
    """Fails unless the rule reports exactly what is marked, in a loop."""
    check_rule(RULE, f"{HEAD}{dedent(marked)}{TAIL}{tail}ret;\n}}\n")


def test_reported_once() -> None:
    check(
        """
        ld.global.b32 %r1, [%rd1];
    //  ^^^^^^^^^^^^^ cacheable-load: this kernel does not write through `from`
        ld.global.b32 %r2, [%rd1+4];
        st.global.b32 [%rd2], %r1;
        """
    )


def test_another_load_is_cached() -> None:
    check(
        """
        ld.global.b32 %r1, [%rd1];
    //  ^^^^^^^^^^^^^ cacheable-load: another load through `from` already has `.nc`
        ld.global.nc.b32 %r2, [%rd1+4];
        """
    )


def test_quiet() -> None:
    for statements in (
        "ld.global.b32 %r1, [%rd1];\n",
        "ld.global.b32 %r1, [%rd1];\nst.global.b32 [%rd1+4], %r1;\n",
        "ld.global.b32 %r1, [%rd1];\nst.global.b32 [%rd2], %r1;\nred.add.u32 [%rd1], %r1;\n",
        "ld.global.b32 %r1, [%rd1];\nld.global.b64 %rd3, [%rd2];\nst.b32 [%rd3], %r1;\n",
        "ld.volatile.global.b32 %r1, [%rd1];\nst.global.b32 [%rd2], %r1;\n",
        "ld.global.nc.b32 %r1, [%rd1];\nst.global.b32 [%rd2], %r1;\n",
    ):
        check(statements)
    check("ld.global.nc.b32 %r1, [%rd1];\n", "ld.global.b32 %r2, [%rd1];\nst.b32 [%rd2], %r2;\n")
    check("ld.global.b32 %r1, [%rd1];\n", "st.global.b32 [%rd2], %r1;\n")  # after the loop


def test_fix() -> None:
    code = "ld.param.b64 %rd1, [parameter];\nnext:\nld.global.nc.b32 %r1, [%rd1];\n"
    code += "ld.global{}.L1::no_allocate.b32 %r2, [%rd1+4];\nbra next;\n"
    check_rule_fix(RULE, code.format(""), code.format(".nc"))
