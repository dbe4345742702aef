"""Which modifier is wrong, and which ones are legal in its place."""

from __future__ import annotations

import pytest

from tests.support.lint import check_lint, check_module, diagnostics, module


def check_newest(marked: str) -> None:
    """As `check_lint`, for the newest version and target."""
    text = module(marked).replace(".version 8.0", ".version 9.3").replace("sm_90\n", "sm_100a\n")
    check_module(text)


def test_rounding_rather_than_a_type() -> None:
    check_lint("""
    cvt.rn.s32.f32 %r1, %f1;
    // ^^^ illegal-modifier: expected `.rni`, `.rzi`, `.rmi` or `.rpi`
    cvt.rni.f32.s32 %f1, %r1;
    // ^^^^ illegal-modifier: expected `.rn`, `.rz`, `.rm` or `.rp`
    fma.rz.bf16 %rs1, %rs2, %rs3, %rs4;
    // ^^^ illegal-modifier: expected `.rn`
    """)


def test_layout_rather_than_a_shape() -> None:
    check_lint("""
    mma.sync.aligned.m16n8k8.row.row.f32.f16.f16.f32
    //                          ^^^^ illegal-modifier: expected `.col`
        {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f5, %f6, %f7, %f8};
    mma.sync.aligned.m16n8k8.col.col.f32.f16.f16.f32
    //                      ^^^^ illegal-modifier: expected `.row`
        {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f5, %f6, %f7, %f8};
    """)


def test_shape_that_does_not_fit_the_fragments() -> None:
    check_lint("""
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
    //              ^^^^^^^^^ illegal-modifier: `.m16n8k16` does not fit the operands
        {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f5, %f6, %f7, %f8};
    """)


def test_type_rather_than_the_operation() -> None:
    check_newest("""
    multimem.red.relaxed.gpu.global.max.f64 [%rd1], %fd1;
    //                                 ^^^^ illegal-modifier: expected `.u32`, `.u64`, `.s32` or
    atom.global.max.f32 %f1, [%rd1], %f2;
    //             ^^^^ illegal-modifier: expected `.u32`, `.s32`, `.u64` or `.s64`
    atom.global.and.u32 %r1, [%rd1], %r2;
    //             ^^^^ illegal-modifier: expected `.b32`
    red.global.inc.s32 [%rd1], %r2;
    //            ^^^^ illegal-modifier: expected `.u32`
    """)


def test_type_rather_than_the_comparison() -> None:
    check_lint("""
    setp.lo.s32 %p1, %r1, %r2;
    //     ^^^^ illegal-modifier: expected `.u32`
    """)


def test_untyped_values_that_are_compared() -> None:
    check_lint("""
    setp.lt.b32 %p1, %r1, %r2;
    //     ^^^^ illegal-modifier: expected `.u32`, `.s32`, `.f32`
    """)


def test_missing_rounding() -> None:
    check_lint("""
    cvt.f32.s32 %f1, %r1;
    ^^^^^^^^^^^ missing-modifier: `cvt.f32.s32` needs `.rn`, `.rz`, `.rm` or `.rp`
    fma.f32 %f1, %f2, %f3, %f4;
    ^^^^^^^ missing-modifier: `fma.f32` needs `.rn`, `.rz`, `.rm` or `.rp`
    """)


def test_unknown_size_of_a_vector() -> None:
    check_lint("""
    ld.global.v3.f32 {%f1, %f2, %f3}, [%rd1];
    //       ^^^ unknown-modifier: `ld` has no modifier `.v3`, expected `.v2` or `.v4`
    st.global.v3.f32 [%rd1], {%f1, %f2, %f3};
    //       ^^^ unknown-modifier: `st` has no modifier `.v3`, expected `.v2` or `.v4`
    """)


def test_register_rather_than_the_type() -> None:
    check_newest("""
    ld.global.b128 %r1, [%rd1];
    //             ^^^ operand-width: `%r1` has type `.b32`, expected a `.b128` register
    """)


def test_modifiers_that_exclude_each_other() -> None:
    check_lint("""
    ld.global.cg.L1::evict_last.u32 %r1, [%rd1];
    //          ^^^^^^^^^^^^^^^ illegal-modifier: it cannot be combined with `.cg`
    add.rn.sat.rz.f32 %f1, %f2, %f3;
    //        ^^^ illegal-modifier: it cannot be combined with `.rn`
    """)


def test_modifier_that_another_one_asks_for() -> None:
    check_lint("""
    ld.acquire.global.u32 %r1, [%rd1];
    ^^^^^^^^^^^^^^^^^^^^^ missing-modifier: needs `.cta`, `.cluster`, `.gpu` or `.sys`
    mul.s32 %r1, %r2, %r3;
    ^^^^^^^ missing-modifier: `mul.s32` needs `.lo` or `.hi`
    ex2.approx.ftz %f1, %f2;
    ^^^^^^^^^^^^^^ missing-modifier: `ex2.approx.ftz` needs `.f32`
    """)


def test_modifier_that_the_operands_ask_for() -> None:
    check_lint("""
    shfl.down.b32 %r1|%p1, %r2, 1, 31, -1;
    ^^^^^^^^^^^^^ missing-modifier: `shfl.down.b32` needs `.sync`
    """)


def test_one_of_two_twins_is_too_many() -> None:
    check_lint("""
    fma.rn.ftz.ftz.f32 %f1, %f2, %f3, %f4;
    //        ^^^^ duplicate-modifier: `.ftz` is given twice
    """)


@pytest.mark.parametrize(
    ("wrong", "fixed"),
    [
        ("cvt.rn.s32.f32 %r1, %f1;", "cvt.rni.s32.f32"),
        ("fma.rz.bf16 %rs1, %rs2, %rs3, %rs4;", "fma.rn.bf16"),
        ("mul.s32 %r1, %r2, %r3;", "mul.lo.s32"),
        ("ld.acquire.global.u32 %r1, [%rd1];", "ld.acquire.cta.global.u32"),
        ("ld.global.cg.L1::evict_last.u32 %r1, [%rd1];", "ld.global.cg.u32"),
    ],
)
def test_the_first_fix_is_what_is_legal(wrong: str, fixed: str) -> None:
    (found,) = diagnostics(module(wrong + "\n"))
    (edit,) = found.fixes[0].edits
    line = wrong[: edit.range.start.column] + edit.new_text + wrong[edit.range.end.column :]
    assert line.startswith(fixed)
