"""Tests of the rule tensor-memory-leak: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    ret;",
            ("    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;\n    ret;"),
            [],
        ),  # freed
        (
            "    ret;",
            "    call clean;\n    ret;",
            [],
        ),  # a function that may free it
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("tensor-memory-leak", old, new, *reported)
