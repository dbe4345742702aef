"""Tests of the rule early-tensor-read: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    tcgen05.ld",
            "    bar.sync 0;\n    tcgen05.ld",
            ["no mbarrier wait comes between"],
        ),  # a barrier does not wait for it
        (
            "    tcgen05.ld",
            (
                "wait:\n"
                "    mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0;\n"
                "    @!%p2 bra wait;\n"
                "    tcgen05.ld"
            ),
            [],
        ),  # a wait
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("early-tensor-read", old, new, *reported)
