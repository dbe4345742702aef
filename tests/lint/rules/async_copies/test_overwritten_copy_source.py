"""Tests of the rule overwritten-copy-source: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit

COPY = "[%rd1], [%r2], 512;\n    cp.async.bulk.commit_group;\n"


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("st.shared.b32 [%r3], 0;", "ld.shared.b32 %r3, [%r3];", []),  # reads do not matter
        ("    st.shared.b32 [%r3], 0;", "    @%p1 st.shared.b32 [%r3], 0;", ["thread"]),
        (
            COPY,
            f"{COPY}    cp.async.bulk.wait_group 0;\n",
            [],
        ),
        (
            COPY,
            f"{COPY}    cp.async.bulk.wait_group.read 1;\n",
            ["no earlier `cp.async.bulk.wait_group.read` waits"],
        ),
        ("[%rd1], [%r2], 512;\n", "[%rd1], [%r2+256], 256;\n", ["`stage`"]),
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("overwritten-copy-source", old, new, *reported)
