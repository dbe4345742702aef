"""The rule integer-as-float."""

from __future__ import annotations

import pytest

from tests.support.formats import assert_formats


def check_format(statements: str) -> None:
    """Fails unless the rule reports exactly the marked places in the body of a kernel."""
    assert_formats(statements, "integer-as-float")


@pytest.mark.parametrize(
    "made",
    [
        "mov.b32 %r2, 3;",
        "mov.b32 %r2, -7;",
        "cvt.rzi.s32.f32 %r2, %f1;",
        "popc.b32 %r2, %r1;",
        "mad.lo.s32 %r2, %r1, 5, 1;",
        "and.b32 %r2, %r1, 31;",
        "ld.global.u8 %r2, [%rd3];",
        "selp.b32 %r2, 1, 0, %p1;",
    ],
)
def test_integers_in_float_arithmetic(made: str) -> None:
    check_format(
        f"""
        setp.gt.f32 %p1, %f1, 0f3F800000;
        {made}
        mul.f32 %f2, %f1, %r2;
        //                ^^^ integer-as-float
        @%p1 st.global.f32 [%rd3], %f2;
        """
    )


@pytest.mark.parametrize(
    "made",
    [
        "mov.b32 %r2, 0;",
        "mov.b32 %r2, 0f3F800000;",
        "mov.b32 %r2, 1065353216;",
        "mov.b32 %r2, 0xFF800000;",
        "ld.global.b32 %r2, [%rd3];",
        "shl.b32 %r2, %r1, 23;",
        "or.b32 %r2, %r1, 0x3F800000;",
        "add.s32 %r2, %r1, 0x3F800000;",
        "selp.b32 %r2, 0x3F800000, 0, %p1;",
        "shfl.sync.idx.b32 %r2, %f1, 0, 31, -1;",
    ],
)
def test_bits_that_may_be_those_of_a_float(made: str) -> None:
    check_format(
        f"""
        setp.gt.f32 %p1, %f1, 0f3F800000;
        {made}
        mul.f32 %f2, %f1, %r2;
        @%p1 st.global.f32 [%rd3], %f2;
        """
    )


def test_only_the_definitions_that_reach_the_instruction_count() -> None:
    check_format(
        """
        mov.b32 %r2, 3;
        st.global.b32 [%rd3], %r2;
        mov.b32 %r2, %f1;
        mul.f32 %f2, %f1, %r2;
        st.global.f32 [%rd3], %f2;
        """
    )
