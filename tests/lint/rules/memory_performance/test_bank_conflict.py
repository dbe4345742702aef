"""Tests of the rule bank-conflict."""

from __future__ import annotations

import pytest

from tests.support.thread_kernel import check_body

RULE = "bank-conflict"


@pytest.mark.parametrize(
    "body",
    [
        """
    mad.lo.u32 %r4, %r2, 16, %r1;
    st.shared.u32 [%r4], %r2;
//  ^^^^^^^^^^^^^ bank-conflict: 4-way bank conflict: lanes 0, 8, 16 and 24 access
""",
        """
    mad.lo.u32 %r4, %r2, 32, %r1;
    ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];
//  ^^^^^^^^^^^^^^^^ bank-conflict: 2-way bank conflict: lanes 0 and 4 access
""",
        """
    and.b32 %r4, %r2, 31;
    mad.lo.u32 %r4, %r4, 128, %r1;
    atom.shared.add.u32 %r5, [%r4], 1;
//  ^^^^^^^^^^^^^^^^^^^ bank-conflict: 32-way
""",
        """
    mov.u32 %r4, %laneid;
    shl.b32 %r4, %r4, 5;
    add.u32 %r4, %r4, %r1;
    st.shared.u32 [%r4], %r2;
//  ^^^^^^^^^^^^^ bank-conflict: 8-way
""",
    ],
)
def test_reported(body: str) -> None:
    check_body(RULE, body)


@pytest.mark.parametrize(
    "body",
    [
        """
    mad.lo.u32 %r4, %r2, 20, %r1;
    st.shared.u32 [%r4], %r2;
""",
        """
    shr.u32 %r4, %r2, 2;
    mad.lo.u32 %r4, %r4, 4, %r1;
    st.shared.u32 [%r4], %r2;
""",
        """
    mad.lo.u32 %r4, %r2, %r3, %r1;
    st.shared.u32 [%r4], %r2;
""",
        """
    ld.global.u32 %r5, [%rd1];
    mad.lo.u32 %r4, %r5, 128, %r1;
    st.shared.u32 [%r4], %r2;
""",
        """
    setp.eq.u32 %p1, %r2, 0;
    mad.lo.u32 %r4, %r2, 128, %r1;
    @%p1 st.shared.u32 [%r4], %r2;
""",
    ],
)
def test_quiet(body: str) -> None:
    check_body(RULE, body)
