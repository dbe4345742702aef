"""Tests of the rule mbarrier-arrivals: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("b64 [%r3], 1;", "b64 [%r3], 128;", []),
        ("b64 [%r3], 1;", "b64 [%r3], 256;", ["receives only 128"]),
        ("b64 [%r3], 1;", "b64 [%r3], %r4;", []),  # the count is unknown
        (
            "    mbarrier.arrive.expect_tx",
            "    @%p1 mbarrier.arrive.expect_tx",
            ["receives 127"],
        ),
        ("    mbarrier.arrive.expect_tx", "    @!%p1 mbarrier.arrive.expect_tx", []),
        ("bar.sync 0;", "call f;", []),  # f may arrive
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("mbarrier-arrivals", old, new, *reported)
