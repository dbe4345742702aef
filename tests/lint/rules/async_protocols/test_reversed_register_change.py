"""Tests of the rule reversed-register-change: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            ".inc.sync.aligned.u32 160",
            ".inc.sync.aligned.u32 168",
            [],
        ),  # the same number
        (
            ".maxnreg 168",
            ".maxnreg 152",
            [],
        ),  # fewer at the start
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("reversed-register-change", old, new, *reported)
