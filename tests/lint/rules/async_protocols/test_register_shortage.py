"""Tests of the rule register-shortage: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            ".aligned.u32 56;",
            ".aligned.u32 24;",
            [],
        ),  # 504 in sum
        (
            ".maxnreg 168",
            ".maxnreg 160",
            ["3 * 160 = 480"],
        ),  # fewer at the start
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("register-shortage", old, new, *reported)
