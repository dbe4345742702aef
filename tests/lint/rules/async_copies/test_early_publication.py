"""Tests of the rule early-publication: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("st.release.gpu.global.b32", "st.relaxed.gpu.global.b32", []),
        ("st.release.gpu.global.b32", "st.release.cta.global.b32", []),
        (
            "st.release.gpu.global.b32 [%rd2], 1;",
            "red.release.sys.global.add.u32 [%rd2], 1;",
            ["without `.read`"],
        ),
        ("wait_group.read 0;\n", "wait_group.read 0;\n    cp.async.bulk.wait_group 0;\n", []),
        ("wait_group.read 0;\n", "wait_group.read 0;\n    call f;\n", []),  # f may wait
        ("cp.async.bulk.wait_group.read 0;\n", "", ["without `.read`"]),
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("early-publication", old, new, *reported)
