"""Tests of the rule overwritten-matrix: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit

_GROUP = "    wgmma.commit_group.sync.aligned;\n    ld.global"


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            _GROUP,
            (
                "    wgmma.commit_group.sync.aligned;\n"
                "    wgmma.wait_group.sync.aligned 1;\n    ld.global"
            ),
            ["this instruction writes `tile` while"],
        ),  # the wait leaves the group
        (
            _GROUP,
            "    wgmma.wait_group.sync.aligned 0;\n    ld.global",
            ["no earlier `wgmma.commit_group` puts that instruction into a group"],
        ),
        (
            "[%rd4+4096];\n    st.shared.v4.b32 [%r3],",
            "[%rd4+4096];\n    st.shared.v4.b32 [%r3+2048],",
            ["this instruction writes `tile` while"],
        ),  # the other matrix
        (
            "[%rd4+4096];\n    st.shared.v4.b32 [%r3],",
            "[%rd4+4096];\n    st.shared.v4.b32 [%r3+4096],",
            [],
        ),  # other bytes
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("overwritten-matrix", old, new, *reported)
