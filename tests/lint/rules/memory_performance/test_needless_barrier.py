"""Tests of the rule needless-barrier."""

from __future__ import annotations

import pytest

from tests.support.thread_kernel import check_body

RULE = "needless-barrier"


@pytest.mark.parametrize(
    "body",
    [
        """
    st.shared.u32 [own], %r3;
    bar.sync 0;
    bar.sync 0;
//  ^^^^^^^^^^^ needless-barrier: needless barrier: since the previous barrier, no thread
    ld.shared.u32 %r4, [own];
""",
        """
    st.shared.u32 [own], %r3;
    bar.warp.sync 0xffffffff;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ needless-barrier: needless barrier: no thread accesses memory
    bar.sync 0;
    ld.shared.u32 %r4, [own];
""",
        """
    bar.sync 0;
//  ^^^^^^^^^^^ needless-barrier
    st.shared.u32 [own], %r3;
""",
        """
    st.shared.u32 [own], %r3;
    bar.sync 0;
//  ^^^^^^^^^^^ needless-barrier
""",
    ],
)
def test_reported(body: str) -> None:
    check_body(RULE, body)


@pytest.mark.parametrize(
    "body",
    [
        """
    st.shared.u32 [own], %r3;
    bar.sync 0;
    ld.shared.u32 %r4, [own];
    bar.sync 0;
    st.shared.u32 [own], %r4;
""",
        """
    st.shared.u32 [own], %r3;
    bar.sync 0;
    mov.u32 %r4, %clock;
    bar.sync 0;
    ld.shared.u32 %r4, [own];
""",
        """
    st.shared.u32 [own], %r3;
    bar.sync 1, 64;
    bar.sync 2, 64;
    ld.shared.u32 %r4, [own];
""",
        """
    mov.u32 %r4, 0;
NEXT:
    bar.sync 0;
    st.shared.u32 [own], %r4;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p1, %r4, 4;
    @%p1 bra NEXT;
""",
    ],
)
def test_quiet(body: str) -> None:
    check_body(RULE, body)
