from tests.support.lint import check_fix, check_lint


def test_float_for_an_integer() -> None:
    check_lint("""
    add.s32 %r1, %r2, %f1;
    //                ^^^ operand-type: `%f1` has type `.f32`, expected an `.s32` register
    """)


def test_literals() -> None:
    check_lint("""
    add.s32 %r1, %r2, 1.5;
    //                ^^^ operand-type: `1.5` is a floating-point constant, expected an `.s32`
    add.f32 %f1, %f2, 1;
    //                ^ operand-type: `1` is an integer constant, expected an `.f32` constant
    """)


def test_second_of_a_pair() -> None:
    check_lint("""
    setp.eq.s32 %p1|%r1, %r2, %r3;
    //              ^^^ operand-type: `%r1` has type `.b32`, expected a `.pred` register
    """)


def test_vector_of_two_classes() -> None:
    check_lint("""
    .reg .u32 u;
    ld.global.v2.b32 {u, %f1}, [%rd1];
    //                   ^^^ operand-type: `%f1` has the wrong type, expected an element of the same
    ld.global.v2.b32 {%r1, %f1}, [%rd1];
    ld.global.v4.b32 {u, %r1, %f1, %f2}, [%rd1];
    """)


def test_bits_fit_everything() -> None:
    check_lint("""
    add.s32 %r1, %r2, %r3;
    add.f32 %f1, %f2, %f3;
    """)


def test_register_of_another_bank() -> None:
    check_fix("add.s32 %r1, %r2, %f3;\n", "add.s32 %r1, %r2, %r3;\n")
    check_fix("ld.global.v2.u32 {%r1, %f2}, [%rd1];\n", "ld.global.v2.u32 {%r1, %r2}, [%rd1];\n")


def test_special_register_of_another_type() -> None:
    check_lint("""
    mov.f32 %f1, %tid.x;
    //           ^^^^^^ operand-type: `%tid.x` has type `.u32`, expected `.f32`
    """)


def test_wider_registers() -> None:
    check_lint("""
    cvt.rn.f16.f32 %f1, %f2;
    //             ^^^ operand-type: has type `.f32`, expected an `.f16` or wider untyped register
    cvt.rn.f16.f32 %r1, %f2;
    """)


def test_warp_size() -> None:
    check_lint("""
    add.f32 %f1, %f2, WARP_SZ;
    //                ^^^^^^^ operand-type: `WARP_SZ` is an integer constant, expected an `.f32`
    """)
