"""Tests of the rule reused-barrier."""

from __future__ import annotations

import pytest

from tests.support.thread_kernel import check_body

RULE = "reused-barrier"


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
    check_body(RULE, body)


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
    check_body(RULE, body)
