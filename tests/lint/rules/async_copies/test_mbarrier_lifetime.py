"""Tests of the rule mbarrier-lifetime: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("created:\n", "created:\n    bar.sync 0;\n", []),
        ("created:\n", "created:\n    call f;\n", []),  # f may wait
        (
            "    mbarrier.init.shared::cta.b64 [%r3], 1;\n",
            "    pmevent 1;\n",
            ["no `mbarrier.init` initialises"],
        ),
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("mbarrier-lifetime", old, new, *reported)
