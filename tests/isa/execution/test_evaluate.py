"""`evaluate`: the interface by opcode and modifiers."""

import pytest

from ptx_ls.isa.execution import evaluate
from ptx_ls.isa.execution.program import Bits


def check_evaluate(text: str, operands: dict[str, Bits], wanted: object, **more: object) -> None:
    """Executes `opcode.modifiers`; `wanted` are the results, None if there are none."""
    opcode, *modifiers = text.split(".")
    outcome = evaluate(opcode, [f".{it}" for it in modifiers], operands, **more)  # type: ignore[arg-type]
    assert (outcome.results if outcome is not None else None) == wanted


@pytest.mark.parametrize(
    ("text", "operands", "wanted"),
    [
        ("add.s32", {"a": 5, "b": 0xFFFFFFFF}, {"d": 4}),
        ("add.sat.s32", {"a": 0x7FFFFFFF, "b": 1}, {"d": 0x7FFFFFFF}),
        ("cvt.rzi.u8.f32", {"a": 0x43960000}, {"d": 255}),
        ("setp.lt.s32", {"a": 1, "b": 2, "q": None}, {"p": 1, "q": 0}),
        ("mov.b64", {"a": (1, 2)}, {"d": 0x200000001}),
        ("mov.b64", {"d": (None, None), "a": 0x200000001}, {"d": [1, 2]}),
        ("mov.b32", {"d": (None,) * 4, "a": 0x04030201}, {"d": [1, 2, 3, 4]}),
        ("mov.v4.u32", {"d": (None,) * 4, "a": (1, 2, 3, 4)}, {"d": [1, 2, 3, 4]}),
        ("mov.f32", {"a": 0xFF812345}, {"d": 0xFF812345}),
        ("selp.f32", {"a": 0xFF812345, "b": 0, "c": 1}, {"d": 0xFF812345}),
        ("div.u32", {"a": 5, "b": 0}, None),
        ("ld.global.u32", {"a": 5}, None),
        ("add.s32", {"a": 5}, None),
        ("add.s33", {"a": 5, "b": 6}, None),
        ("nonsense", {}, None),
    ],
)
def test_results(text: str, operands: dict[str, Bits], wanted: object) -> None:
    check_evaluate(text, operands, wanted)


def test_carry_goes_in_and_out() -> None:
    low = evaluate("add", [".cc", ".u32"], {"a": 0xFFFFFFFF, "b": 1})
    assert low is not None
    assert low.carry
    check_evaluate("addc.u32", {"a": 1, "b": 2}, {"d": 4}, carry=low.carry)


def test_selectors() -> None:
    check_evaluate(
        "vadd.s32.s32.s32", {"a": 0x80000000, "b": 1}, {"d": 0xFFFFFF81}, selectors={"asel": ".b3"}
    )


def test_what_the_manual_leaves_open_is_not_exact() -> None:
    for text, operands in (
        ("sin.approx.f32", {"a": 0x3F800000}),
        ("rcp.approx.f32", {"a": 0x40000000}),
        ("add.f32", {"a": 0x7F800000, "b": 0xFF800000}),
    ):
        opcode, *modifiers = text.split(".")
        outcome = evaluate(opcode, [f".{it}" for it in modifiers], operands)
        assert outcome is not None
        assert not outcome.is_exact


@pytest.mark.parametrize(
    ("text", "operands", "wanted"),
    [
        # Results that ptxas 13.5 stored when it folded these constants.
        ("cvt.sat.f32.f32", {"a": 0x80000000}, 0),
        ("add.sat.f32", {"a": 0x80000000, "b": 0x80000000}, 0),
        ("min.f32", {"a": 0x80000000, "b": 0}, 0x80000000),
        ("max.f32", {"a": 0x80000000, "b": 0}, 0),
        ("cvt.rna.tf32.f32", {"a": 0x3F8FFFFF}, 0x3F900000),
        ("mul.ftz.f32", {"a": 0x3F7FFFFF, "b": 0x00800000}, 0),
        ("mul.f32", {"a": 0x3F7FFFFF, "b": 0x00800000}, 0x00800000),
        ("mul.rn.ftz.f32", {"a": 0x3F7FFFFE, "b": 0x00800001}, 0x00800000),
        ("mul.rn.ftz.f32", {"a": 0xBF7FFFFF, "b": 0x00800000}, 0x80000000),
        ("cvt.rn.ftz.f32.f64", {"a": 0x380FFFFFFFFFFFFF}, 0x00800000),
        ("cvt.rn.ftz.f32.f64", {"a": 0x380FFFFFE0000000}, 0),
        ("cvt.rni.f32.f32", {"a": 0xBE99999A}, 0x80000000),
        ("cvt.rzi.s32.f32", {"a": 0x7F800000}, 0x7FFFFFFF),
        ("shl.b32", {"a": 1, "b": 33}, 0),
        ("bfe.s32", {"a": 0x80000000, "b": 28, "c": 8}, 0xFFFFFFF8),
        ("bfi.b32", {"a": 0xFF, "b": 0, "c": 28, "d": 8}, 0xF0000000),
        ("fns.b32", {"mask": 0xAAAAAAAA, "base": 3, "offset": 2}, 5),
        ("szext.clamp.s32", {"a": 0xAAAAAAAA, "b": 0}, 0),
        ("mul24.hi.s32", {"a": 0x00FFFFFF, "b": 0x007FFFFF}, 0xFFFFFF80),
        ("slct.f32.f32", {"a": 1, "b": 2, "c": 0x80000000}, 1),
        ("copysign.f32", {"a": 0x80000000, "b": 0x7FC00001}, 0xFFC00001),
        ("cvt.rn.f16x2.f32", {"a": 0x3F800000, "b": 0x40490FDB}, 0x3C004248),
    ],
)
def test_constants_that_ptxas_folds(text: str, operands: dict[str, Bits], wanted: int) -> None:
    check_evaluate(text, operands, {"f" if text == "bfi.b32" else "d": wanted})
