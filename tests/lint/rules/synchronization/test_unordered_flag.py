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
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ unordered-flag: this load may read the memory that `q` points to"""
    check_rule(RULE, KERNEL.replace("AFTER", after))


def test_unordered_on_one_of_two_paths() -> None:
    after = """\
    setp.eq.u32 %p2, %r1, 1;
    @%p2 bra M;
    fence.acq_rel.gpu;
M:
    ld.global.u32 %r2, [%rd2];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ unordered-flag: this load may read the memory that `q` points to"""
    check_rule(RULE, KERNEL.replace("AFTER", after))


ONE_THREAD = """
.visible .entry k(.param .u64 p, .param .u64 q)
.reqntid 128
{
    .reg .pred %p<5>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [p];
    ld.param.u64 %rd2, [q];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.u32 %r3, %r2, 128, %r1;
    mad.wide.u32 %rd3, %r3, 4, %rd2;
    setp.ne.u32 %p1, %r1, 0;
    setp.ge.u32 %p3, %r1, 32;
    @%p1 bra N;
L:
    ld.acquire.gpu.global.u32 %r4, [%rd1];
    setp.eq.u32 %p2, %r4, 0;
    @%p2 bra L;
N:
    AFTER
    st.global.u32 [%rd3+512], %r5;
    ret;
}
"""


@pytest.mark.parametrize(
    "after",
    [
        "bar.sync 0;\nld.global.u32 %r5, [%rd3];",
        "@%p1 bra M;\nld.global.u32 %r5, [%rd3];\nM:",
        "@!%p1 ld.global.u32 %r5, [%rd3];",
        "ld.global.u32 %r5, [%rd3+512];",
        "@%p3 ret;\nbar.warp.sync -1;\nld.global.u32 %r5, [%rd3];",
        "call wait;\nld.global.u32 %r5, [%rd3];",
        "ld.acquire.gpu.global.u32 %r5, [%rd1];\nld.global.u32 %r5, [%rd3];",
        "ld.global.u32 %r5, [%rd1];",
        "bar.arrive 1, 128;\nld.global.u32 %r5, [%rd3];",
    ],
)
def test_other_threads_are_ordered(after: str) -> None:
    check_rule(RULE, f".extern .func wait();\n{ONE_THREAD.replace('AFTER', after)}")


@pytest.mark.parametrize("between", ["", "fence.acq_rel.gpu;", "bar.warp.sync -1;"])
def test_other_threads_do_not_wait(between: str) -> None:
    mark = "//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ unordered-flag: other threads may read"
    after = f"{between}\n    ld.global.u32 %r5, [%rd3];\n{mark}"
    check_rule(RULE, ONE_THREAD.replace("AFTER", after))
