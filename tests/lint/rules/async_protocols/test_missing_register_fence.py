"""Tests of the rule missing-register-fence: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "    wgmma.mma_async",
            ("    wgmma.fence.sync.aligned;\n    mov.f32 %f2, 0f00000000;\n    wgmma.mma_async"),
            ["uses `%f2`, which is written after"],
        ),  # written after the fence
        (
            "    wgmma.mma_async",
            ("    mov.f32 %f2, 0f00000000;\n    wgmma.fence.sync.aligned;\n    wgmma.mma_async"),
            [],
        ),  # written before the fence
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("missing-register-fence", old, new, *reported)
