"""Tests of the rule reused-barrier."""

from __future__ import annotations

import pytest

from tests.support.lint import check_rule

RULE = "reused-barrier"
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
    setp.lt.u32 %p1, %r2, 32;
    @%p1 bra FIRST;
    bar.sync 1, 32;
    bra DONE;
FIRST:
    bar.sync 1, 32;
//  ^^^^^^^^^^^^^^^ reused-barrier
DONE:
""",
    ],
)
def test_reported(body: str) -> None:
    check_body(body)


@pytest.mark.parametrize(
    "body",
    [
        """
    setp.lt.u32 %p1, %r2, 32;
    @%p1 bra FIRST;
    bar.sync 1, 32;
    bra DONE;
FIRST:
    bar.sync 2, 32;
DONE:
""",
        """
    setp.lt.u32 %p1, %r3, 32;
    @%p1 bra FIRST;
    bar.sync 1, 64;
    bra DONE;
FIRST:
    bar.sync 1, 64;
DONE:
""",
        """
    setp.lt.u32 %p1, %r2, 32;
    @%p1 bar.sync 1, 32;
    bar.sync 0;
    setp.ge.u32 %p2, %r2, 32;
    @%p2 bar.sync 1, 32;
""",
    ],
)
def test_quiet(body: str) -> None:
    check_body(body)
