"""Tests of the rule tensor-map-in-use: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "[%r1], [%rd1, {%r3}]",
            "[%r1], [%rd2, {%r3}]",
            [],
        ),  # another tensor map
        (
            "    @%p1 tensormap",
            "    bar.warp.sync -1;\n    @%p1 tensormap",
            ["while a copy may still read it"],
        ),  # a barrier does not wait for it
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("tensor-map-in-use", old, new, *reported)
