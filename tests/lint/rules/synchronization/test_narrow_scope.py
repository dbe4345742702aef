"""Tests of the rule narrow-scope."""

from __future__ import annotations

import pytest

from tests.support.lint import check_rule

RULE = "narrow-scope"
KERNEL = """
.visible .entry k(.param .u64 p, .param .u32 n)
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    .shared .align 4 .u32 own;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r3, [n];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
BODY
    ret;
}
"""


@pytest.mark.parametrize(
    "body",
    [
        "    red.relaxed.gpu.global.add.u32 [%rd1], 1;",
        "    red.relaxed.cta.shared.add.u32 [own], 1;",
        "    mad.wide.u32 %rd2, %r1, 4, %rd1;\n    red.relaxed.cta.global.add.u32 [%rd2], 1;",
        "    ld.global.u64 %rd2, [%rd1];\n    red.relaxed.cta.global.add.u32 [%rd2], 1;",
        "    setp.eq.u32 %p1, %r1, 0;\n    @%p1 red.relaxed.cta.global.add.u32 [%rd1], 1;",
    ],
)
def test_wide_enough(body: str) -> None:
    check_rule(RULE, KERNEL.replace("BODY", body))


def test_too_narrow() -> None:
    body = """\
    setp.lt.u32 %p1, %r2, %r3;
    @%p1 red.relaxed.cta.global.add.u32 [%rd1+8], 1;
    //              ^^^^ narrow-scope: all blocks access the memory that `p` points to
    mad.wide.u32 %rd2, %r2, 4, %rd1;
    st.release.cta.global.u32 [%rd2], 1;
    //        ^^^^ narrow-scope"""
    check_rule(RULE, KERNEL.replace("BODY", body))
