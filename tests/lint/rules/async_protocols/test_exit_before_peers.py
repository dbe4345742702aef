"""Tests of the rule exit-before-peers: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    st.global",
            "    bar.sync 0;\n    st.global",
            ["may end first"],
        ),  # a barrier of the block
        (
            "xor.b32 %r5, %r5, 1;",
            "mov.u32 %r2, %cluster_ctarank;",
            [],
        ),  # the own block
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("exit-before-peers", old, new, *reported)
