"""Tests of the rule legacy-membar."""

from __future__ import annotations

import pytest

from tests.support.thread_kernel import check_body

RULE = "legacy-membar"


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
    check_body(RULE, body)


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
    check_body(RULE, body)
