"""Elements of one vector against each other; every verdict is one of ptxas 13.5."""

from __future__ import annotations

import pytest

from ptx_ls import isa
from ptx_ls.isa import Operand, OperandKind

_VERSION = (9, 5)


def _element(text: str) -> Operand:
    if text == "_":
        return Operand(OperandKind.SINK, text=text)
    if text in ("1.5", "0f3F800000"):
        return Operand(OperandKind.FLOAT, text=text)
    if text.isdecimal():
        return Operand(OperandKind.INTEGER, value=int(text), text=text)
    return Operand(OperandKind.REGISTER, text, text="%r")


def check_vector(modifiers: str, elements: str, *, accepted: bool) -> None:
    """Judges an instruction with a vector of registers of these types."""
    opcode, *names = modifiers.split(".")
    instruction = isa.database().instruction(opcode)
    assert instruction is not None
    vector = Operand(
        OperandKind.VECTOR, elements=tuple(_element(part) for part in elements.split())
    )
    base = Operand(OperandKind.REGISTER, ".b64", text="%rd1")
    address = Operand(OperandKind.ADDRESS, elements=(base,))
    wide = Operand(OperandKind.REGISTER, ".b64", text="%rd2")
    texture = Operand(OperandKind.ADDRESS, elements=(base, Operand(OperandKind.UNKNOWN)))
    operands = {
        "ld": (vector, address),
        "st": (address, vector),
        "mov": (wide, vector),
        "tex": (vector, texture),
    }[opcode]
    context = isa.Context(_VERSION, ("sm_100a",))
    verdict = isa.check(instruction, tuple(f".{name}" for name in names), operands, context)
    errors = [each for each in verdict.violations if not each.lenient]
    assert (not errors) == accepted, errors


@pytest.mark.parametrize(
    ("modifiers", "elements"),
    [
        ("ld.global.v2.f32", ".f32 .b32"),
        ("ld.global.v2.u32", ".f32 .b32"),
        ("ld.global.v2.b32", ".b32 .pred"),
        ("ld.global.v2.f32", ".u32 .u32"),
        ("ld.global.v2.f32", ".u64 .s64"),
        ("ld.global.v4.b32", ".u32 .b32 .b32 .f32"),
        ("ld.global.v8.b32", ".u32 _ .s32 _ .b32 _ .u32 _"),
        ("st.global.v4.f32", ".u64 5 .u64 7"),
        ("st.global.v2.u32", ".f32 1.5"),
        ("st.global.v2.u32", "5 .b64"),
        ("st.global.v2.u32", "5 .b16"),
        ("st.global.v2.b32", "0f3F800000 0f3F800000"),
        ("st.global.v2.b64", "1.5 1.5"),
        ("st.global.v2.f64", "5 7"),
        ("ld.global.v4.f32", "_ .b64 .b64 .b64"),
        ("mov.b64", ".pred .b32"),
        ("mov.b64", ".f32 .b32"),
        ("tex.1d.v4.f32.f32", ".f32 .b32 .b32 .f32"),
        ("tex.1d.v4.f32.f32", ".u32 .s32 .u32 .b32"),
        ("tex.1d.v4.u32.f32", ".b32 .pred .b32 .b32"),
        ("tex.1d.v4.f32.f32", ".u32 .b32 .b32 .f32"),
        ("tex.1d.v4.f32.f32", ".f32 .f32 .b32 .f16x2"),
    ],
)
def test_neighbours_that_go_together(modifiers: str, elements: str) -> None:
    check_vector(modifiers, elements, accepted=True)


@pytest.mark.parametrize(
    ("modifiers", "elements"),
    [
        ("ld.global.v2.b32", ".u32 .f32"),
        ("ld.global.v2.b32", ".f16x2 .f32"),
        ("ld.global.v2.b8", ".b8 .b16"),
        ("ld.global.v2.b32", "_ _"),
        ("ld.global.v2.b32", ".pred .pred"),
        ("ld.global.v2.f32", ".u64 .u64"),
        ("ld.global.v4.b32", ".b32 .b32 .u32 .f32"),
        ("ld.global.v8.b32", ".u32 _ .f32 _ .b32 _ .u32 _"),
        ("st.global.v4.f32", ".s64 5 .s64 7"),
        ("st.global.v4.b32", ".b32 5 .f32 7"),
        ("st.global.v2.f32", ".u32 1.5"),
        ("st.global.v2.u32", "5 .f64"),
        ("st.global.v2.u32", ".b16 5"),
        ("st.global.v4.u32", ".b32 5 5 .b64"),
        ("st.global.v2.f32", "5 7"),
        ("st.global.v2.u32", "1.5 1.5"),
        ("st.global.v2.b32", "1.5 1.5"),
        ("st.global.v2.b64", "0f3F800000 0f3F800000"),
        ("st.global.v2.u32", ".f32 0f3F800000"),
        ("st.global.v4.b32", ".b32 5 .b64 7"),
        ("mov.b64", ".pred .pred"),
        ("mov.b64", ".u32 .f32"),
        ("tex.1d.v4.f32.f32", ".f32 .b32 .pred .f32"),
    ],
)
def test_neighbours_that_clash(modifiers: str, elements: str) -> None:
    check_vector(modifiers, elements, accepted=False)


def check_coordinates(modifiers: str, elements: str, *, accepted: bool) -> None:
    """Judges `tex` with coordinates of these types."""
    instruction = isa.database().instruction("tex")
    assert instruction is not None
    register = Operand(OperandKind.REGISTER, ".f32", text="%f")
    texture = Operand(OperandKind.REGISTER, ".b64", text="%rd1")
    coordinates = Operand(
        OperandKind.VECTOR, elements=tuple(_element(part) for part in elements.split())
    )
    operands = (
        Operand(OperandKind.VECTOR, elements=(register,) * 4),
        Operand(OperandKind.ADDRESS, elements=(texture, coordinates)),
    )
    names = tuple(f".{name}" for name in modifiers.split("."))
    verdict = isa.check(instruction, names, operands, isa.Context(_VERSION, ("sm_100a",)))
    errors = [each for each in verdict.violations if not each.lenient]
    assert (not errors) == accepted, errors


@pytest.mark.parametrize(
    ("modifiers", "elements", "accepted"),
    [
        ("a1d.v4.f32.f32", ".u32 .f32", True),
        ("a2d.v4.f32.f32", ".u32 .f32 .f32 .f32", True),
        ("a2d.v4.f32.f32", ".u32 .f32 .u32 .f32", False),
        ("a2d.v4.f32.f32", ".f32 .f32 .f32 .f32", False),
        ("a2d.v4.f32.s32", ".u32 .f32 .f32 .f32", True),
        ("a2dms.v4.f32.s32", ".f32 .u32 .b32 .b32", True),
        ("a2dms.v4.f32.s32", ".u32 .f32 .f32 .f32", False),
        ("2dms.v4.f32.s32", ".u32 .f32 .f32 .f32", False),
        ("2d.v4.f32.f32", ".u32 .f32", False),
        ("2d.v4.f32.f32", ".f32 .b32", True),
    ],
)
def test_indices_before_coordinates(modifiers: str, elements: str, *, accepted: bool) -> None:
    check_coordinates(modifiers, elements, accepted=accepted)
