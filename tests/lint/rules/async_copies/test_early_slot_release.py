"""Tests of the rule early-slot-release: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit

ARRIVAL = "    @!%p1 mbarrier.arrive.shared::cta.b64 _, [%r5];\n"


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (ARRIVAL, ARRIVAL.replace("@!%p1 ", ""), []),  # all consumers arrive
        (ARRIVAL, f"    call f;\n{ARRIVAL}", []),  # f may have a barrier
        (ARRIVAL, f"    bar.warp.sync -1;\n{ARRIVAL}", ["before other warps have read it"]),
        ("%p2, %r2, 64;", "%p2, %r2, 32;", []),  # one warp reads
        ("ld.shared.b32 %r10, [%r8];", "mov.b32 %r10, %r8;", []),
        ("[%r5], %r7;", "[%r4], %r7;", []),  # the producer waits for another object
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("early-slot-release", old, new, *reported)
