"""The rule mixed-float-formats."""

from __future__ import annotations

from tests.support.formats import assert_formats


def check_format(statements: str) -> None:
    """Fails unless the rule reports exactly the marked places in the body of a kernel."""
    assert_formats(statements, "mixed-float-formats")


def test_a_half_that_is_read_as_another_format() -> None:
    check_format(
        """
        cvt.rn.f16.f32 %h1, %f1;
        add.rn.bf16 %h2, %h1, %h1;
        //               ^^^ mixed-float-formats: of type `.f16`, but is used as `.bf16`
        st.global.b16 [%rd3], %h2;
        """
    )


def test_a_conversion_in_between() -> None:
    check_format(
        """
        cvt.rn.f16.f32 %h1, %f1;
        cvt.f32.f16 %f2, %h1;
        cvt.rna.tf32.f32 %r2, %f2;
        add.f32 %f3, %r2, %f1;
        st.global.f32 [%rd3], %f3;
        """
    )


def test_halves_in_a_register_for_two() -> None:
    check_format(
        """
        cvt.rn.f16x2.f32 %r2, %f1, %f1;
        mul.f32 %f2, %r2, %f1;
        //           ^^^ mixed-float-formats: holds a value of type `.f16x2`, but is used as `.f32`
        st.global.f32 [%rd3], %f2;
        """
    )
