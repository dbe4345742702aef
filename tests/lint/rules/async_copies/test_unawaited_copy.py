"""Tests of the rule unawaited-copy: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "cp.async.commit_group;\n",
            "cp.async.commit_group;\n    cp.async.wait_group 3;\n",
            [],
        ),  # some wait follows
        ("cp.async.commit_group;", "call f;", []),  # f may wait
        (
            "[%r3], [%rd4], 4;\n",
            "[%r3], [%rd4], 4;\n    cp.async.ca.shared.global [%r3], [%rd4], 4;\n",
            ["these 2 copies"],
        ),
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("unawaited-copy", old, new, *reported)
