"""Tests of the rule unreleased-tensor-map: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;",
            "fence.proxy.async.global;",
            ["changed but not released"],
        ),  # a fence of another proxy
        (
            "[%r1], [%rd1, {%r3}]",
            "[%r1], [%rd2, {%r3}]",
            [],
        ),  # another tensor map
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("unreleased-tensor-map", old, new, *reported)
