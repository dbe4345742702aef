"""Text that ptxas accepts is never an error, however far from the manual it is."""

from tests.support.lint import check_module


def test_conversion_that_the_manual_does_not_have() -> None:
    check_module("""
    .version 9.5
    .target sm_107a
    .address_size 64
    .visible .entry kernel()
    {
        .reg .b32 %r<2>;
        .reg .f32 %f<3>;
        cvt.rn.e2m1p4x4.f32 %r1, %f1, %f2;
    //        ^^^^^^^^^ illegal-modifier: the manual does not describe a conversion to `.e2m1p4x4`
    }
    """)
