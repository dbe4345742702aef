"""Tests of the rule single-wait: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("b64 %p2, [%r3], 0;", "b64 %p2, [%r3], 0;\n    @!%p2 trap;", []),
        (
            "b64 %p2, [%r3], 0;",
            "b64 %p2, [%r3], 0;\n    @%p2 bra go;\n    nanosleep.u32 9;\ngo:",
            ["the thread continues even if"],
        ),
        (
            "b64 %p2, [%r3], 0;",
            "b64 %p2, [%r3], 0;\n    @%p2 bra go;\n    ret;\ngo:",
            [],
        ),  # a thread may give up
        ("try_wait.parity", "test_wait.parity", ["`mbarrier.test_wait` is not used"]),
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("single-wait", old, new, *reported)
