"""Tests of the rule uncommitted-matrix: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    wgmma.wait_group.sync.aligned 0;\n",
            ("    wgmma.commit_group.sync.aligned;\n    wgmma.wait_group.sync.aligned 0;\n"),
            [],
        ),  # in a group
        (
            "    wgmma.wait_group.sync.aligned 0;\n",
            (
                "    wgmma.commit_group.sync.aligned;\n"
                "    wgmma.wait_group.sync.aligned 0;\n"
                "    wgmma.commit_group.sync.aligned;\n"
            ),
            [],
        ),  # another, empty group
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("uncommitted-matrix", old, new, *reported)
