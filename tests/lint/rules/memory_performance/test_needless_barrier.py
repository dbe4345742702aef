"""Tests of the rule needless-barrier."""

from __future__ import annotations

import pytest

from tests.support.lint import check_rule

RULE = "needless-barrier"
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
    st.shared.u32 [own], %r3;
    bar.sync 0;
    bar.sync 0;
//  ^^^^^^^^^^^ needless-barrier
    ld.shared.u32 %r4, [own];
""",
        """
    bar.sync 0;
//  ^^^^^^^^^^^ needless-barrier
    st.shared.u32 [own], %r3;
""",
        """
    st.shared.u32 [own], %r3;
    bar.sync 0;
//  ^^^^^^^^^^^ needless-barrier
""",
    ],
)
def test_reported(body: str) -> None:
    check_body(body)


@pytest.mark.parametrize(
    "body",
    [
        """
    st.shared.u32 [own], %r3;
    bar.sync 0;
    ld.shared.u32 %r4, [own];
    bar.sync 0;
    st.shared.u32 [own], %r4;
""",
        """
    st.shared.u32 [own], %r3;
    bar.sync 0;
    mov.u32 %r4, %clock;
    bar.sync 0;
    ld.shared.u32 %r4, [own];
""",
        """
    st.shared.u32 [own], %r3;
    bar.sync 1, 64;
    bar.sync 2, 64;
    ld.shared.u32 %r4, [own];
""",
        """
    mov.u32 %r4, 0;
NEXT:
    bar.sync 0;
    st.shared.u32 [own], %r4;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p1, %r4, 4;
    @%p1 bra NEXT;
""",
    ],
)
def test_quiet(body: str) -> None:
    check_body(body)
