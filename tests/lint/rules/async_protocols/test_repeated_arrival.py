"""Tests of the rule repeated-arrival: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    st.shared.b32 [box+4], 2;",
            "    bar.sync 2, 64;\n    st.shared.b32 [box+4], 2;",
            [],
        ),  # another barrier in between
        (
            "bar.arrive 1, 64;\n    bra",
            "bar.sync 1, 64;\n    bra",
            ["may be counted twice"],
        ),  # the second one waits
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("repeated-arrival", old, new, *reported)
