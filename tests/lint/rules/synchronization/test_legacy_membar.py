"""Tests of the rule legacy-membar."""

from __future__ import annotations

import pytest

from tests.support.lint import check_rule

RULE = "legacy-membar"
KERNEL = """
.visible .entry k(.param .u64 p, .param .u32 n)
.reqntid 64
{
    .reg .pred %p<3>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<9>;
    .shared .align 16 .b8 own[8192];
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r3, [n];
    mov.u32 %r1, own;
    mov.u32 %r2, %tid.x;
BODY
    ret;
}
"""


def check_body(body: str) -> None:
    """Checks what is reported in the body of a kernel."""
    check_rule(RULE, KERNEL.replace("BODY", body.strip("\n")))


@pytest.mark.parametrize(
    "body",
    [
        """
    st.global.u32 [%rd1], %r3;
    membar.gl;
//  ^^^^^^^^^ legacy-membar: an old name for `fence.sc.gpu`
    st.global.u32 [%rd1+4], %r3;
""",
        """
    st.global.u32 [%rd1], %r3;
    membar.cta;
//  ^^^^^^^^^^ legacy-membar: an old name for `fence.sc.cta`
    st.global.u32 [%rd1+4], %r3;
""",
        """
    st.global.u32 [%rd1], %r3;
    membar.sys;
//  ^^^^^^^^^^ legacy-membar: an old name for `fence.sc.sys`
    st.global.u32 [%rd1+4], %r3;
""",
    ],
)
def test_reported(body: str) -> None:
    check_body(body)


@pytest.mark.parametrize(
    "body",
    [
        """
    st.global.u32 [%rd1], %r3;
    fence.sc.gpu;
    st.global.u32 [%rd1+4], %r3;
""",
        """
    membar.proxy.alias;
""",
    ],
)
def test_quiet(body: str) -> None:
    check_body(body)
