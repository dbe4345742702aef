"""A comment with the value of a number or a name."""

from __future__ import annotations

import pytest

from tests.support.actions import check_action, check_not_offered
from tests.support.lint import module


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("mov.f32 %f1, 0f3F80<|>0000;", "mov.f32 %f1, 0f3F800000; // 1.0"),
        ("mov.u32 %r1, 0x<|>FF; // mask", "mov.u32 %r1, 0xFF; // mask, 255"),
        (
            "lop3.b32 %r1, %r2, %r3, %r4, 0x<|>80;",
            "lop3.b32 %r1, %r2, %r3, %r4, 0x80; // %r1 = %r2 & %r3 & %r4",
        ),
    ],
)
def test_numbers(before: str, after: str) -> None:
    check_action(module(before + "\n"), "Insert as a comment", module(after + "\n"))


def test_mangled_names() -> None:
    head = ".version 8.0\n.target sm_90\n.address_size 64\n"
    check_action(
        f"{head}.visible .entry _Z1<|>kPi()\r\n{{\r\nret;\r\n}}\r\n",
        "Insert as a comment",
        f"{head}.visible .entry _Z1kPi() // k(int*)\r\n{{\r\nret;\r\n}}\r\n",
    )


@pytest.mark.parametrize(
    "statement", ["mov.u32 %r1, 1<|>2;", "mov.f32 %f1, 0f3F80<|>0000; // 1.0", "mov.u32 %r<|>1, 1;"]
)
def test_what_hides_nothing(statement: str) -> None:
    check_not_offered(module(statement + "\n"), "Insert as a comment")
