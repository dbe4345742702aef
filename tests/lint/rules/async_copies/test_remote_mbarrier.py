"""Tests of the rule remote-mbarrier: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("arrive.release.cta.shared::cluster", "arrive.release.cluster.shared::cluster", []),
        (
            "arrive.release.cta.shared::cluster",
            "arrive.shared::cluster",
            [],
        ),  # the default is left to its author
        (
            "shared::cta.b64 %p2, [%r3], 0;",
            "shared::cta.b64 %p2, [%r4], 0;",
            ["its release has only `.cta` scope"],
        ),
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("remote-mbarrier", old, new, *reported)
