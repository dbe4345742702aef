"""Tests of the rule constant-parity: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    @!%q bra wait;\n",
            "    @!%q bra wait;\n    mbarrier.inval.shared::cta.b64 [%r4];\n",
            [],
        ),  # the object is made anew
        ("[%r4], 0;\n", "[%r4], 1;\n", ["parity 1"]),
        ("[%r4], 0;\n", "[%r4], %r7;\n", []),  # an unknown parity
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("constant-parity", old, new, *reported)
