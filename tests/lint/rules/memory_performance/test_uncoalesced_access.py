"""Tests of the rule uncoalesced-access."""

from __future__ import annotations

import pytest

from tests.support.lint import check_rule

RULE = "uncoalesced-access"
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
    mul.wide.u32 %rd2, %r2, 32;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
//  ^^^^^^^^^^^^^ uncoalesced-access: 32 sectors of 32 bytes here, where 4 would be enough
""",
        """
    mul.wide.u32 %rd2, %r2, 8;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
//  ^^^^^^^^^^^^^ uncoalesced-access: 8 sectors
""",
    ],
)
def test_reported(body: str) -> None:
    check_body(body)


@pytest.mark.parametrize(
    "body",
    [
        """
    mul.wide.u32 %rd2, %r2, 8;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    st.global.u32 [%rd3+4], %r2;
""",
        """
    mul.wide.u32 %rd2, %r2, %r3;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
""",
        """
    st.global.u32 [%rd1], %r3;
""",
        """
    mov.u32 %r4, %ctaid.x;
    mad.lo.u32 %r4, %r4, 64, %r2;
    mul.wide.u32 %rd2, %r4, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
""",
    ],
)
def test_quiet(body: str) -> None:
    check_body(body)
