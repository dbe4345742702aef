"""Tests of the rule early-remote-access: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "xor.b32 %r5, %r5, 1;",
            "mov.u32 %r2, %cluster_ctarank;",
            [],
        ),  # the own block
        (
            "    st.shared::cluster",
            "    bar.sync 0;\n    st.shared::cluster",
            ["may not have started"],
        ),  # a barrier of the block
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("early-remote-access", old, new, *reported)
