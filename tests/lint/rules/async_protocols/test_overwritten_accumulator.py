"""Tests of the rule overwritten-accumulator: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (
            "mov.f32 %f1, 0f00000000;\n    wgmma.wait_group.sync.aligned 0;\n",
            "add.f32 %f1, %f1, %f2;\n    wgmma.wait_group.sync.aligned 0;\n",
            [],
        ),  # a read, before which ptxas waits
        (
            "    wgmma.commit_group.sync.aligned;\n    mov.f32 %f1",
            (
                "    wgmma.commit_group.sync.aligned;\n"
                "    wgmma.wait_group.sync.aligned 1;\n"
                "    mov.f32 %f1"
            ),
            ["this instruction overwrites `%f1`"],
        ),  # the newest group is still pending
        (
            "    wgmma.commit_group.sync.aligned;\n    mov.f32 %f1",
            (
                "    wgmma.commit_group.sync.aligned;\n"
                "    wgmma.commit_group.sync.aligned;\n"
                "    wgmma.wait_group.sync.aligned 1;\n"
                "    mov.f32 %f1"
            ),
            [],
        ),  # only an empty group is pending
        (
            "    wgmma.commit_group.sync.aligned;\n    mov.f32 %f1",
            "    mov.f32 %f1",
            ["this instruction overwrites `%f1`"],
        ),  # in no group
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("overwritten-accumulator", old, new, *reported)
