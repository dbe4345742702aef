"""Fixes that need no review keep the results: both texts are executed on random numbers."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.lint.fixes.apply import fix
from ptx_ls.lint.rule import rules
from tests.support.lint import module
from tests.support.straight_line import NotComputableError, run

PROGRAMS: Final = {
    "constant-division": (
        "div.u32 %r1, %r2, 16;",
        "rem.u64 %rd1, %rd2, 0x8000000000000000;",
        "div.s32 %r1, %r2, -1;",
        "and.b32 %r1, %r2, 0x7FFFFFFF;\ndiv.s32 %r3, %r1, 128;",
        "mov.b32 %r4, 1;\nshl.b32 %r4, %r4, 5;\nrem.u32 %r3, %r2, %r4;",
        "@%p1 rem.u16 %rs1, %rs2, 4;",
    ),
    "wide-arithmetic": (
        "cvt.u64.u32 %rd1, %r1;\ncvt.u64.u32 %rd2, %r2;\nmul.lo.s64 %rd3, %rd1, %rd2;",
        "cvt.s64.s32 %rd1, %r1;\nmad.lo.u64 %rd3, %rd1, -7, %rd2;",
        "cvt.s64.s32 %rd1, %r1;\ncvt.s64.s32 %rd2, %r2;\nsetp.le.s64 %p1, %rd1, %rd2;",
        "cvt.u64.u32 %rd1, %r1;\nsetp.gt.u64 %p1, %rd1, 0x80000000;",
        "cvt.s64.s32 %rd1, %r1;\n@!%p1 shl.b64 %rd2, %rd1, 30;",
        "cvt.u64.u32 %rd1, %r1;\nshl.b64 %rd2, %rd1, 31;",
    ),
    "emulated-instruction": (
        "and.b32 %r1, %r2, 0xFFFFFF;\nmul24.lo.u32 %r3, %r1, %r1;",
        "shr.s32 %r1, %r2, 8;\nmad24.lo.s32 %r3, %r1, -5, %r4;",
    ),
    "float-division": (
        "div.rn.f32 %f1, %f2, 0f41000000;",
        "div.rn.f32 %f1, %f2, 0fC1000000;",
        "div.rn.f64 %fd1, %fd2, 0d3FA0000000000000;",
        "div.rn.f32 %f1, %f2, 0f7E800000;",
        "div.rn.f32 %f1, %f2, 0f00800000;",
        "div.rn.f32 %f1, 0f3F800000, %f2;",
        "div.rn.f64 %fd1, 0d3FF0000000000000, %fd2;",
    ),
    "double-precision": (
        (
            "cvt.f64.f32 %fd1, %f1;\ncvt.f64.f32 %fd2, %f2;\nadd.f64 %fd3, %fd1, %fd2;\n"
            "cvt.rn.f32.f64 %f3, %fd3;"
        ),
        (
            "cvt.f64.f32 %fd1, %f1;\ncvt.f64.f32 %fd2, %f2;\nmul.rn.f64 %fd3, %fd1, %fd2;\n"
            "cvt.rn.f32.f64 %f3, %fd3;"
        ),
        (
            "cvt.f64.f32 %fd1, %f1;\ncvt.f64.f32 %fd2, %f2;\ndiv.rn.f64 %fd3, %fd1, %fd2;\n"
            "cvt.rn.f32.f64 %f3, %fd3;"
        ),
        "cvt.f64.f32 %fd1, %f1;\nsqrt.rn.f64 %fd3, %fd1;\ncvt.rn.f32.f64 %f3, %fd3;",
        (
            "cvt.f64.f32 %fd1, %f1;\nsub.f64 %fd3, 0d3FF0000000000000, %fd1;\n"
            "cvt.rn.f32.f64 %f3, %fd3;"
        ),
        "cvt.f64.f32 %fd1, %f1;\ncvt.f64.f32 %fd2, %f2;\nsetp.ltu.f64 %p1, %fd1, %fd2;",
        "cvt.f64.f32 %fd1, %f1;\ncvt.rn.f32.f64 %f3, %fd1;",
    ),
}
"""Programs with one finding of each rule that has a certain fix, as far as they can be executed."""
WIDTHS: Final = {"%p": 1, "%rs": 16, "%r": 32, "%rd": 64, "%f": 32, "%fd": 64}
NAMES: Final = [f"{bank}{number}" for bank in WIDTHS for number in range(5)]
FLOATS: Final = (0, 1, 0x7FFFFF, 0x800000, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0x80000000)
"""The bits of numbers that are special, as `.f32`."""
HIGHEST: Final = 0x7F800000
"""The bits of infinity, above which a number is none."""


def after_fixes(rule: str, code: str) -> str:
    """Returns a program after the fixes that are made without a person."""
    fixed = fix(module(f"{code}\n"), has_unsafe=False).text
    frame = [*module("").splitlines(), "    ret;"]
    body = [line for line in fixed.splitlines() if line not in frame]
    assert "\n".join(body) != code, rule
    return "\n".join(body)


FIXED: Final = [
    (code, after_fixes(rule, code)) for rule, programs in PROGRAMS.items() for code in programs
]


@st.composite
def registers(draw: st.DrawFn) -> dict[str, int]:
    """All registers, with numbers that are often small, large or special."""
    found = {}
    for name in NAMES:
        width = WIDTHS[name.rstrip("0123456789")]
        if name.startswith("%f") and not name.startswith("%fd"):
            found[name] = draw(st.sampled_from(FLOATS) | st.integers(0, HIGHEST))
        else:
            top = (1 << width) - 1
            found[name] = draw(st.integers(0, top) | st.integers(0, 3) | st.just(top))
    return found


@pytest.mark.parametrize(("code", "fixed"), FIXED)
@given(start=registers())
@settings(max_examples=30)
def test_same_results(code: str, fixed: str, start: dict[str, int]) -> None:
    try:
        expected = run(code, start)
    except NotComputableError:  # a division by zero, or one whose operands overlap
        return
    assert run(fixed, start) == expected


@pytest.mark.parametrize(("code", "fixed"), FIXED)
def test_programs_can_be_executed(code: str, fixed: str) -> None:
    start = dict.fromkeys(NAMES, 1) | dict.fromkeys(["%f1", "%f2"], FLOATS[4])
    assert run(fixed, start) == run(code, start)


def test_all_rules_that_can_be_executed() -> None:
    assert set(PROGRAMS) <= set(rules())
