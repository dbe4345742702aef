"""Tests of the rule freed-tensor-memory: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r2];\n",
            "",
            [],
        ),  # no access
        (
            (
                "    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r2];\n"
                "    tcgen05.wait::ld.sync.aligned;\n"
            ),
            (
                "    tcgen05.st.sync.aligned.32x32b.x2.b32 [%r2], {%r1, %r1};\n"
                "    tcgen05.wait::st.sync.aligned;\n"
            ),
            ["tcgen05.st"],
        ),  # a store
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("freed-tensor-memory", old, new, *reported)
