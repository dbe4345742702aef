"""Tests of the rule repeated-tensor-operation: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    tcgen05.mma",
            "    setp.lt.u32 %p2, %r2, 32;\n    @%p2 tcgen05.mma",
            ["32 lanes of a warp"],
        ),  # one warp
        (
            "    tcgen05.mma",
            "    elect.sync _|%p2, -1;\n    @%p2 tcgen05.mma",
            [],
        ),  # one lane of each warp
        (
            "    tcgen05.mma",
            (
                "    setp.eq.u32 %p2, %r1, 0;\n"
                "    @%p2 bra skip;\n"
                "    bra go;\n"
                "skip:\n"
                "    ret;\n"
                "go:\n"
                "    tcgen05.mma"
            ),
            ["32 lanes of a warp"],
        ),  # a condition that is the same for all threads
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("repeated-tensor-operation", old, new, *reported)
