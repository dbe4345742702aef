"""The rule float-as-integer."""

from __future__ import annotations

from tests.support.formats import assert_formats


def check_format(statements: str) -> None:
    """Fails unless the rule reports exactly the marked places in the body of a kernel."""
    assert_formats(statements, "float-as-integer")


def test_a_sum_of_the_bits_of_floats() -> None:
    check_format(
        """
        mul.f32 %r2, %f1, %f1;
        add.f32 %r3, %f1, %f1;
        add.s32 %r4, %r2, %r3;
        //           ^^^ float-as-integer
        //                ^^^ float-as-integer
        sqrt.rn.f32 %f2, %r4;
        st.global.f32 [%rd3], %f2;
        """
    )


def test_the_distance_of_two_floats_in_units_of_the_last_place() -> None:
    check_format(
        """
        mul.f32 %r2, %f1, %f1;
        add.f32 %r3, %f1, %f1;
        sub.s32 %r4, %r2, %r3;
        st.global.b32 [%rd3], %r4;
        """
    )


def test_uses_that_only_suit_integers() -> None:
    check_format(
        """
        mul.f32 %r2, %f1, %f1;
        mul.wide.s32 %rd2, %r2, 4;
        //                 ^^^ float-as-integer: as an index
        shl.b32 %r3, %r1, %r2;
        //                ^^^ float-as-integer: as a shift amount or a field size
        div.s32 %r4, %r1, %r2;
        //                ^^^ float-as-integer: as an integer divisor
        setp.lt.u32 %p1, %r1, %r2;
        //                    ^^^ float-as-integer: in an integer comparison
        """
    )


def test_the_address_of_an_element_that_is_stored() -> None:
    check_format(
        """
        mul.f32 %r2, %f1, %f1;
        mul.wide.s32 %rd2, %r2, 4;
        //                 ^^^ float-as-integer: as an index
        add.s64 %rd2, %rd3, %rd2;
        st.global.b64 [%rd3], %rd2;
        """
    )


def test_a_wide_product_that_is_not_an_index() -> None:
    check_format(
        """
        mul.f32 %r2, %f1, %f1;
        mul.wide.u32 %rd2, %r2, 31;
        shr.u64 %rd2, %rd2, 7;
        st.global.b64 [%rd3], %rd2;
        """
    )


def test_uses_of_the_bits() -> None:
    check_format(
        """
        mul.f32 %r2, %f1, %f1;
        mul.lo.u32 %r3, %r2, 0x9E3779B1;
        setp.gt.s32 %p1, %r2, 0;
        shr.u32 %r4, %r2, 23;
        mul.wide.u32 %rd2, %r2, 0xD2511F53;
        atom.global.max.s32 %r5, [%rd3], %r2;
        """
    )
