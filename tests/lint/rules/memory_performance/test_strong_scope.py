"""Tests of the rule strong-scope."""

from __future__ import annotations

import pytest

from tests.support.thread_kernel import check_body

RULE = "strong-scope"


@pytest.mark.parametrize(
    "body",
    [
        """
    st.global.u32 [%rd1], %r3;
    st.release.sys.shared.u32 [own], %r3;
//            ^^^^ strong-scope
    st.global.u32 [%rd1+4], %r3;
""",
        """
    st.shared.u32 [own], %r3;
    membar.gl;
//        ^^^ strong-scope
    st.shared.u32 [own+4], %r3;
    st.global.u32 [%rd1], %r3;
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
""",
        """
    st.relaxed.gpu.shared.u32 [own], %r3;
    st.global.u32 [%rd1], %r3;
""",
        """
    st.release.gpu.global.u32 [%rd1], %r3;
""",
    ],
)
def test_quiet(body: str) -> None:
    check_body(RULE, body)
