"""Tests of the rule unpaired-cluster-barrier: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    barrier.cluster.wait.aligned;\n    st.global",
            (
                "    barrier.cluster.arrive.aligned;\n"
                "    barrier.cluster.arrive.aligned;\n"
                "    barrier.cluster.wait.aligned;\n"
                "    st.global"
            ),
            ["already arrived"],
        ),  # two arrivals
        (
            "    barrier.cluster.wait.aligned;\n    st.global",
            (
                "    barrier.cluster.arrive.relaxed.aligned;\n"
                "    barrier.cluster.wait.aligned;\n"
                "    st.global"
            ),
            [],
        ),  # a pair
        (
            (
                "    barrier.cluster.wait.aligned;\n"
                "    mapa.shared::cluster.u32 %r6, %r4, %r5;\n"
                "    ld.shared::cluster.b32 %r7, [%r6];\n"
                "    barrier.cluster.wait.aligned;\n"
                "    st.global.b32 [%rd1], %r7;\n"
            ),
            "",
            ["never waits for it"],
        ),  # an arrival alone
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("unpaired-cluster-barrier", old, new, *reported)
