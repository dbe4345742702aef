"""The bits of results that depend on some bits of an operand."""

from __future__ import annotations

import pytest

from ptx_ls.flow.slices.affected_bits import ALL, affected_bits
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands
from tests.support.reading import read_alone

LOW, HIGH = 0xFFFF, 0xFFFF0000
LOWER, UPPER = 0xFFFFFFFF, 0xFFFFFFFF00000000


def check_bits(text: str, name: str, bits: int, expected: dict[str, int]) -> None:
    (record,) = read_alone([text])
    assert isinstance(record, Shape)
    operands = written_operands(record, text)
    assert affected_bits(record.opcode, operands, name, bits) == expected


@pytest.mark.parametrize(
    ("text", "bits", "expected"),
    [
        ("mov.b32 %d, %a;", LOW, {"%d": LOW}),
        ("mov.b64 %d, {%a, %b};", ALL, {"%d": LOWER}),
        ("mov.b64 %d, {%b, %a};", ALL, {"%d": UPPER}),
        ("mov.b64 %d, {%b, %a};", LOW, {"%d": LOW << 32}),
        ("mov.b64 %d, {%a, %a};", ALL, {"%d": LOWER | UPPER}),
        ("mov.b64 {%d, %e}, %a;", UPPER, {"%d": 0, "%e": LOWER}),
        ("mov.b64 {_, %e}, %a;", LOWER, {"%e": 0}),
        ("mov.b64 {%d, %e, %f, %g}, %a;", HIGH, {"%d": 0, "%e": LOW, "%f": 0, "%g": 0}),
        ("mul.f32x2 %d, %b, %a;", UPPER, {"%d": UPPER}),
        ("fma.rn.relu.bf16x2 %d, %a, %b, %c;", 1, {"%d": LOW}),
        ("add.f32 %d, %a, %b;", 1, {"%d": ALL}),
        ("cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", ALL, {"%d": 0xFF00}),
        ("cvt.rn.satfinite.e4m3x2.f32 %d, %b, %a;", ALL, {"%d": 0xFF}),
        ("cvt.rn.f16x2.e4m3x2 %d, %a;", 0xFF00, {"%d": HIGH}),
        ("cvt.rn.f16x2.f32 %d, %a, %a;", ALL, {"%d": LOW | HIGH}),
        ("cvt.rs.f16x2.f32 %d, %b, %c, %a;", ALL, {"%d": ALL}),
        ("cvt.u32.u16 %d, %a;", 0xFF, {"%d": ALL}),
        ("and.b16 %d, %a, 255;", 0xFF00, {"%d": 0}),
        ("and.b32 %d, %a, %b;", LOW, {"%d": LOW}),
        ("or.b32 %d, %b, %a;", HIGH, {"%d": HIGH}),
        ("shl.b32 %d, %a, 16;", HIGH, {"%d": 0}),
        ("shl.b32 %d, %b, %a;", LOW, {"%d": ALL}),
        ("shr.u32 %d, %a, 16;", HIGH, {"%d": LOW}),
        ("shr.s32 %d, %a, 16;", HIGH, {"%d": ALL}),
        ("shr.u32 %d, %a, 99;", HIGH, {"%d": ALL}),
        ("ex2.approx.f32 %d, %a;", 1, {"%d": ALL}),
        ("shl %d, %a, 16;", HIGH, {"%d": ALL}),
        ("mov %d, %a;", HIGH, {"%d": ALL}),
        ("cvt.f16x2 %d, %a;", HIGH, {"%d": ALL}),
    ],
)
def test_bits_of_the_result(text: str, bits: int, expected: dict[str, int]) -> None:
    check_bits(text, "%a", bits, expected)


def test_a_register_that_is_not_named_as_an_operand() -> None:
    check_bits("mov.b64 %d, {%v.x, %v.y};", "%v", ALL, {"%d": ALL})
