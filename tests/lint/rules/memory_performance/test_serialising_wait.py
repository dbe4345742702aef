"""Tests of the rule serialising-wait."""

from __future__ import annotations

import pytest

from tests.support.thread_kernel import check_body

RULE = "serialising-wait"


@pytest.mark.parametrize(
    "body",
    [
        """
    mad.lo.u32 %r4, %r2, 4, %r1;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd3, %rd1, %rd2;
    cp.async.ca.shared.global [%r4], [%rd3], 4;
    cp.async.wait_all;
//  ^^^^^^^^^^^^^^^^^^ serialising-wait
    cp.async.ca.shared.global [%r4+256], [%rd3+256], 4;
    cp.async.wait_all;
    ld.shared.u32 %r5, [%r4];
""",
    ],
)
def test_reported(body: str) -> None:
    check_body(RULE, body)


@pytest.mark.parametrize(
    "body",
    [
        """
    mad.lo.u32 %r4, %r2, 4, %r1;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd3, %rd1, %rd2;
    cp.async.ca.shared.global [%r4], [%rd3], 4;
    cp.async.wait_all;
    ld.shared.u32 %r5, [%r4];
    cp.async.ca.shared.global [%r4+256], [%rd3+256], 4;
    cp.async.wait_all;
    ld.shared.u32 %r6, [%r4+256];
""",
        """
    mad.lo.u32 %r4, %r2, 4, %r1;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd3, %rd1, %rd2;
    cp.async.ca.shared.global [%r4], [%rd3], 4;
    cp.async.wait_all;
    cp.async.ca.shared.global [%r4], [%rd3+256], 4;
    cp.async.wait_all;
    ld.shared.u32 %r5, [%r4];
""",
        """
    mad.lo.u32 %r4, %r2, 4, %r1;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd3, %rd1, %rd2;
    cp.async.ca.shared.global [%r4], [%rd3], 4;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    ld.shared.u32 %r5, [%r4];
""",
    ],
)
def test_quiet(body: str) -> None:
    check_body(RULE, body)
