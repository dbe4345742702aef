"""Tests of the rule allocation-after-relinquish: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n",
            "",
            [],
        ),  # never given up
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("allocation-after-relinquish", old, new, *reported)
