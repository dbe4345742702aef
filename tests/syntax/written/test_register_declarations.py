"""Register declarations are read as they are written."""

from __future__ import annotations

import pytest

from ptx_ls.syntax.written.register_declarations import declared_registers


def check_declared(text: str, head: str, *names: str) -> None:
    read = declared_registers(text)
    assert read is not None
    assert (read[0], tuple(map(str, read[1]))) == (head, names)


def test_ranges_and_single_names() -> None:
    check_declared(".reg .b32 %r<4>, sum;", ".reg .b32", "%r<4>", "sum")


def test_white_space_between_tokens() -> None:
    check_declared(".reg\t.v2 .f32\n  %f < 0x10 > ,x ;", ".reg .v2 .f32", "%f<16>", "x")


def test_an_alignment_belongs_to_the_head() -> None:
    check_declared(".reg .align 8 .b32 a;", ".reg .align 8 .b32", "a")


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".reg",
        ".reg .b32;",
        ".reg a;",
        ".reg . .b32 a;",
        ".reg .b32 a",
        ".reg .b32 a b;",
        ".reg .b32 a,;",
        ".reg .b32 %r<;",
        ".reg .b32 %r<n>;",
        ".reg .b32 %r<4;",
        ".reg .b32 %r<99999999999999999999999>;",
        ".reg .b32 a.x;",
        ".reg .b32 a, /* why */ b;",
        ".global .b32 a;",
        "add.s32 a, a, a;",
    ],
)
def test_other_statements(text: str) -> None:
    assert declared_registers(text) is None
