"""Tests of the rule early-copy-access: edits of the example on its page."""

from __future__ import annotations

import pytest

from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("bar.sync 0;", "", []),  # no barrier at all: missing-barrier reports it
        ("cp.async.wait_group 0;", "cp.async.wait_all;", ["no barrier comes after the wait"]),
        ("cp.async.wait_group 0;\n", "cp.async.wait_group 0;\n    bar.sync 1;\n", []),
        ("cp.async.wait_group 0;\n", "cp.async.wait_group 0;\n    call f;\n", []),  # f may wait
        ("sub.s32 %r5, %r3, %r2", "mov.b32 %r5, %r2", []),  # the address is unknown
        ("cp.async.wait_group 0;", "cp.async.wait_group 1;", ["does not wait for the copy"]),
        ("[%r5+508]", "[%r4]", []),  # a thread reads what it copied itself
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("early-copy-access", old, new, *reported)
