"""Tests of the rule uncoalesced-access."""

from __future__ import annotations

import pytest

from tests.support.thread_kernel import check_body

RULE = "uncoalesced-access"


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
    check_body(RULE, body)


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
    check_body(RULE, body)
