"""Tests of the rule needless-fence."""

from __future__ import annotations

import pytest

from tests.support.thread_kernel import check_body

RULE = "needless-fence"


@pytest.mark.parametrize(
    "body",
    [
        """
    st.global.u32 [%rd1], %r3;
    fence.sc.gpu;
    fence.acq_rel.cta;
//  ^^^^^^^^^^^^^^^^^^ needless-fence
    st.global.u32 [%rd1+4], %r3;
""",
        """
    st.global.u32 [%rd1], %r3;
    membar.gl;
//  ^^^^^^^^^^ needless-fence
    membar.sys;
    st.global.u32 [%rd1+4], %r3;
""",
        """
    st.global.u32 [%rd1], %r3;
    membar.sys;
//  ^^^^^^^^^^^ needless-fence
""",
    ],
)
def test_reported(body: str) -> None:
    check_body(RULE, body)


@pytest.mark.parametrize(
    "body",
    [
        """
    st.global.u32 [%rd1], %r3;
    fence.acq_rel.gpu;
    st.global.u32 [%rd1+4], %r3;
    fence.acq_rel.gpu;
    st.global.u32 [%rd1+8], %r3;
""",
        """
    st.global.u32 [%rd1], %r3;
    fence.acq_rel.gpu;
    bar.sync 0;
    fence.acq_rel.gpu;
    st.global.u32 [%rd1+8], %r3;
""",
        """
    setp.eq.u32 %p1, %r2, 0;
    st.global.u32 [%rd1], %r3;
    @%p1 fence.acq_rel.gpu;
    fence.acq_rel.gpu;
    st.global.u32 [%rd1+8], %r3;
""",
    ],
)
def test_quiet(body: str) -> None:
    check_body(RULE, body)
