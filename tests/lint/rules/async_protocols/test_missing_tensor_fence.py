"""Tests of the rule missing-tensor-fence: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit

LOAD = "    tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r6}, [%r1];\n"
WAIT = "    tcgen05.wait::ld.sync.aligned;\n"


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("parity.relaxed.cta", "parity.acquire.cta", []),
        ("parity.relaxed.cta", "parity", []),
        (LOAD, f"    fence.acq_rel.cta;\n{LOAD}", []),  # another fence
        (LOAD, f"    bar.sync 0;\n{LOAD}", []),
        (LOAD, f"    tcgen05.fence::before_thread_sync;\n{LOAD}", []),  # in doubt, it orders
        (
            WAIT,
            f"{WAIT}    mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%r5];\n",
            ["may start before the wait", "does not order"],
        ),
        (
            WAIT,
            (
                f"{WAIT}    barrier.cluster.arrive.relaxed.aligned;\n"
                "    barrier.cluster.wait.aligned;\n"
            ),
            ["may start before the wait", "does not order"],
        ),
        (
            WAIT,
            (
                f"{WAIT}    tcgen05.fence::before_thread_sync;\n"
                "    mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%r5];\n"
            ),
            ["may start before the wait"],
        ),
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("missing-tensor-fence", old, new, *reported)
