"""Tests of the rule tensor-memory-size: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit

_FREE = "    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;\n"


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("[%r1], 128;", "[%r1], 64;", []),
        (_FREE, "    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, %r1;\n", []),  # unknown
        ("[%r1], 128;", "[%r1], %r2;", []),  # unknown
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("tensor-memory-size", old, new, *reported)
