"""Tests of the rule unacquired-tensor-map: edits of the example on its page."""

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
            "    fence.proxy.tensormap::generic.release.gpu;\n",
            (
                "    fence.proxy.tensormap::generic.release.gpu;\n"
                "    fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;\n"
            ),
            [],
        ),  # acquired
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("unacquired-tensor-map", old, new, *reported)
