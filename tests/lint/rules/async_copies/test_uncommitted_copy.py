"""Tests of the rule uncommitted-copy: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "cp.async.wait_group 0;",
            "cp.async.mbarrier.arrive.shared.b64 [%r3];",
            [],
        ),  # an mbarrier object tracks it
        ("cp.async.wait_group 0;", "cp.async.wait_all;", []),  # wait_all commits
        ("cp.async.wait_group 0;", "call f;", []),  # f may commit
        (".visible .entry take", ".visible .func take", []),  # the caller may commit
        ("ret;", "trap;", []),  # the kernel does not end
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("uncommitted-copy", old, new, *reported)
