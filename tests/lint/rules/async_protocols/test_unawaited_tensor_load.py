"""Tests of the rule unawaited-tensor-load: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    mbarrier.arrive",
            "    tcgen05.wait::st.sync.aligned;\n    mbarrier.arrive",
            ["before this load has read it"],
        ),  # a wait for stores only
        (
            "    mbarrier.arrive",
            "    add.s32 %r3, %r3, %r4;\n    mbarrier.arrive",
            [],
        ),  # all lanes read both registers before
        (
            "    mbarrier.arrive",
            "    add.s32 %r3, %r3, 1;\n    mbarrier.arrive",
            ["before this load has read it"],
        ),  # all lanes read one register before
        (
            "    mbarrier.arrive.shared::cta.b64 _, [%r5];\n",
            "",
            [],
        ),  # nothing is handed over
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("unawaited-tensor-load", old, new, *reported)
