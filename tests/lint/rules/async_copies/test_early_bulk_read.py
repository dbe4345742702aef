"""Tests of the rule early-bulk-read: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("ld.shared.b32 %r6, [%r5];", "st.shared.b32 [%r5], %r6;", []),  # a store
        ("ld.shared.b32 %r6, [%r5];", "ld.shared.b32 %r6, [%r5+512];", []),  # other bytes
        ("ld.shared.b32 %r6, [%r5];", "call f;\n    ld.shared.b32 %r6, [%r5];", []),  # f may wait
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("early-bulk-read", old, new, *reported)
