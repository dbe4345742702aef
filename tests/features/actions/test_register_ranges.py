"""Ranges of registers and their names one by one."""

from __future__ import annotations

import pytest

from tests.support.actions import check_action, check_not_offered
from tests.support.lint import module


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (".reg .b32 <|>%x<3>;", ".reg .b32 %x0, %x1, %x2;"),
        (".reg .v2 .f32 %x<|><2>, %y;", ".reg .v2 .f32 %x0, %x1, %y;"),
    ],
)
def test_expanding_and_contracting(before: str, after: str) -> None:
    check_action(module(before + "\n"), "Expand `%x<", module(after + "\n"))
    back = after.replace("%x0", "<|>%x0")
    check_action(module(back + "\n"), "Contract to `%x<", module(before + "\n"))


@pytest.mark.parametrize("count", ["010", "0x8", "0b1000U"])
def test_a_count_in_any_base(count: str) -> None:
    names = ", ".join(f"%x{number}" for number in range(8))
    before, after = module(f".reg .b32 %x<|><{count}>;\n"), module(f".reg .b32 {names};\n")
    check_action(before, "Expand `%x<8>`", after)


def test_more_names_than_one_wants_to_see() -> None:
    check_not_offered(module(".reg .b32 %x<|><65>;\n"), "Expand", "65 names are too many to list")


def test_a_single_name_that_is_declared_separately() -> None:
    parameter = ".version 8.5\n.target sm_80\n.entry k(.param .b32 x1) {\n.reg .b32 x<|><3>;\n}\n"
    check_not_offered(parameter, "Expand", "`x1` is declared separately")
    check_action(
        module("{\n.reg .b32 %x1;\n}\n.reg .b32 %x<|><2>;\n"),
        "Expand",
        module("{\n.reg .b32 %x1;\n}\n.reg .b32 %x0, %x1;\n"),
    )


@pytest.mark.parametrize(
    "declaration",
    [
        ".reg .b32 %x1, <|>%x2;",
        ".reg .b32 %x0, <|>%x2;",
        ".reg .b32 %x0<|>;",
        ".reg .b32 %x00, <|>%x1;",
        ".reg .b32 %x<2>;\n.reg .b32 <|>%x0, %x1;",
        ".shared .b32 x0, <|>x1;",
    ],
)
def test_what_is_no_range(declaration: str) -> None:
    check_not_offered(module(declaration + "\n"), "Contract")
