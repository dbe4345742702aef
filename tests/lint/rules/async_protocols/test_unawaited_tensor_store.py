"""Tests of the rule unawaited-tensor-store: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    mbarrier.arrive",
            "    tcgen05.wait::ld.sync.aligned;\n    mbarrier.arrive",
            ["before this store is complete"],
        ),  # a wait for loads only
        (
            "    mbarrier.arrive.shared::cta.b64 _, [%r5];\n",
            "",
            [],
        ),  # nothing is handed over
        (
            "    mbarrier.arrive.shared::cta.b64 _, [%r5];\n",
            ("    bar.sync 1;\n    tcgen05.wait::st.sync.aligned;\n    bar.sync 0;\n"),
            [],
        ),  # the first barrier may be for something else
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("unawaited-tensor-store", old, new, *reported)
