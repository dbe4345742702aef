"""Tests of the rule uncommitted-tensor-operation: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd2, %rd3, %r2, 0;",
            "tcgen05.shift.cta_group::1.down [%r1];",
            ["tcgen05.shift"],
        ),  # another operation
        (
            "%r2, 0;\n",
            ("%r2, 0;\n    @%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd2];\n"),
            [],
        ),  # committed
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("uncommitted-tensor-operation", old, new, *reported)
