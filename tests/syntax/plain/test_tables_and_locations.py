"""Tables of integers and plain `.loc`, which are read without their tokens."""

from __future__ import annotations

import pytest

from ptx_ls.syntax.plain.locations import plain_locations
from ptx_ls.syntax.plain.tables import holds_integers


def check_integers(value: str, sizes: tuple[int | None, ...], *, is_plain: bool) -> None:
    assert holds_integers(value, sizes) is is_plain


@pytest.mark.parametrize(
    ("value", "sizes"),
    [("5", ()), ("{1, 0xFF, -3}", (3,)), ("{1}", (None,)), ("{{1, 2}, {3}}", (2, 2))],
)
def test_integers(value: str, sizes: tuple[int | None, ...]) -> None:
    check_integers(value, sizes, is_plain=True)


@pytest.mark.parametrize(
    ("value", "sizes"),
    [("x", ()), ("{1, y}", (2,)), ("0f3F800000", ()), ("{1, 2}", (1,)), ("{1}", ()), ("1", (1,))],
)
def test_other_values(value: str, sizes: tuple[int | None, ...]) -> None:
    check_integers(value, sizes, is_plain=False)


def test_locations() -> None:
    lines = "\t.loc 1 2 3\n.loc 1 5 0, function_name $L1+4, inlined_at 1 2 3 // x\n.loc 1 x 3\n"
    assert plain_locations(lines) == [("1 2 3", "", ""), ("1 5 0", "$L1", "1 2 3")]
