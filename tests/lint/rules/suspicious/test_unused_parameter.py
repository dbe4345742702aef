"""Tests of the rule unused-parameter."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "unused-parameter"


def test_unused() -> None:
    check_rule(
        RULE,
        """
    .visible .entry kernel(.param .b64 result, .param .b32 count)
    //                                                     ^^^^^ unused-parameter: parameter `count`
    {
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];  // count
        ret;
    }
    .func (.reg .b32 sum) add(.reg .b32 first, .reg .b32 second)
    //                                                   ^^^^^^ unused-parameter
    {
        mov.b32 sum, first;
        ret;
    }
    """,
    )


def test_a_result_without_a_value() -> None:
    check_rule(
        RULE,
        """
    .func (.param .b32 sum) add(.param .b32 first)
    //                 ^^^ unused-parameter: result `sum` is never written, so the caller gets an
    {
        .reg .b32 %r<2>;
        ld.param.b32 %r1, [first];
        ret;
    }
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
    .visible .entry declared(.param .b64 result);
    .func (.param .b32 sum) add(.param .b32 first, .param .b8 bytes[8])
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b32 %r1, [first];
        mov.b64 %rd1, bytes;
        ld.param.b32 %r2, [%rd1+4];
        st.param.b32 [sum+0], %r2;
        ret;
    }
    .visible .entry unreadable(.param .b64 result) { ld.parm.b64 %rd1; fetch; }
    """,
    )
