"""Tests of the rule mbarrier-bytes: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("_, [%r3], 1024;", "_, [%r3], 256;", ["may complete early"]),
        ("_, [%r3], 1024;", "_, [%r3], 512;", []),
        ("_, [%r3], 1024;", "_, [%r3], %r6;", []),  # the number is unknown
        ("bar.sync 0;", "call f;", []),  # f may copy
        # The size is unknown, but at most that of the destination.
        ("[%rd1], 512, [%r3];", "[%rd1], %r6, [%r3];", ["destination has only 512"]),
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("mbarrier-bytes", old, new, *reported)
