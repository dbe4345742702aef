"""Tests of the rule unordered-flag."""

from __future__ import annotations

import pytest

from tests.support.lint import check_rule

RULE = "unordered-flag"
KERNEL = """
.visible .entry k(.param .u64 p, .param .u64 q)
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [p];
    ld.param.u64 %rd2, [q];
L:
    ld.relaxed.gpu.global.u32 %r1, [%rd1];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra L;
AFTER
    st.global.u32 [%rd2], %r2;
    ret;
}
"""


@pytest.mark.parametrize(
    "after",
    [
        "fence.acq_rel.gpu;\nld.global.u32 %r2, [%rd2];",
        "membar.gl;\nld.global.u32 %r2, [%rd2];",
        "ld.acquire.gpu.global.u32 %r3, [%rd1];\nld.global.u32 %r2, [%rd2];",
        "ld.relaxed.gpu.global.u32 %r2, [%rd2];",
        "ld.global.u32 %r2, [%rd1];",
    ],
)
def test_ordered(after: str) -> None:
    check_rule(RULE, KERNEL.replace("AFTER", after))


def test_a_barrier_of_the_block_is_not_a_fence() -> None:
    after = """\
    bar.sync 0;
    ld.global.u32 %r2, [%rd2];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ unordered-flag: this may read the memory that `q` points to"""
    check_rule(RULE, KERNEL.replace("AFTER", after))


def test_unordered_on_one_of_two_paths() -> None:
    after = """\
    setp.eq.u32 %p2, %r1, 1;
    @%p2 bra M;
    fence.acq_rel.gpu;
M:
    ld.global.u32 %r2, [%rd2];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ unordered-flag: this may read the memory that `q` points to"""
    check_rule(RULE, KERNEL.replace("AFTER", after))
