"""Guards and labels before an instruction."""

from __future__ import annotations

import pytest

from ptx_ls.syntax.guards import Guard, guard_of
from ptx_ls.syntax.labels import after_labels, label_at


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@%p1 bra done;", Guard("%p1", is_negated=False, end=4)),
        (" @ ! q\tret;", Guard("q", is_negated=True, end=6)),
        ("@%p1.x ret;", Guard("%p1", is_negated=False, end=4)),
        ("bra done;", None),
        ("@ ;", None),
        ("", None),
    ],
)
def test_guard(text: str, expected: Guard | None) -> None:
    assert guard_of(text) == expected


@pytest.mark.parametrize(
    ("text", "label", "rest"),
    [
        ("L1: ret;", "L1", " ret;"),
        ("  $L_x :\n%a:add.s32", "$L_x", "add.s32"),
        ("a::b", "", "a::b"),
        ("ret;", "", "ret;"),
        ("", "", ""),
    ],
)
def test_labels(text: str, label: str, rest: str) -> None:
    assert (label_at(text), after_labels(text)) == (label, rest)
