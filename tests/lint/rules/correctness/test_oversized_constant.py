from tests.support.computation import check_quiet, check_rule, check_rule_in_module

RULE = "oversized-constant"


def test_integers() -> None:
    check_rule(
        RULE,
        """
        add.u32 %r1, %r2, 5000000000;
        //                ^^^^^^^^^^ oversized-constant: does not fit in `.u32`: 705,032,704 is used
        mov.b16 %h1, -32769;
        //           ^^^^^^ oversized-constant: does not fit in `.b16`: 32,767 is used instead
        mov.u64 %rd1, 0xFFFFFFFFFFFFFFFF;
        st.global.u8 [%rd1], -129;
        //                   ^^^^ oversized-constant: 127 is used instead
        st.global.v2.u16 [%rd1], {1, 65536};
        //                           ^^^^^ oversized-constant: 0 is used instead
        """,
    )


def test_expressions() -> None:
    check_rule(
        RULE,
        """
        add.s16 %h1, %h2, 300 * 300;
        //                ^^^^^^^^^ oversized-constant: 24,464 is used instead
        add.s16 %h1, %h2, 300 * 100;
        mov.u32 %r1, (1 << 40) + 1;
        //           ^^^^^^^^^^^^^ oversized-constant: 1 is used instead
        """,
    )


def test_decimal_numbers_that_become_negative() -> None:
    check_rule(
        RULE,
        """
        setp.lt.s32 %p1, %r1, 4000000000;
        //                    ^^^^^^^^^^ oversized-constant: -294,967,296 is used instead
        setp.lt.s32 %p1, %r1, 0xEE6B2800;
        mul.wide.s16 %r1, %h1, 40000;
        //                     ^^^^^ oversized-constant: -25,536 is used instead
        add.s32 %r1, %r1, 4000000000;
        """,
    )


def test_parts_of_an_operand() -> None:
    check_rule(
        RULE,
        """
        prmt.b32 %r1, %r2, %r3, 0x13210;
        //                      ^^^^^^^ oversized-constant: `prmt` uses only the low 16 bits, which
        prmt.b32.ecl %r1, %r2, %r3, 4;
        //                          ^ oversized-constant: `prmt` uses only the low 2 bits, which are
        mad24.lo.u32 %r1, %r2, 0x1000000, %r3;
        //                     ^^^^^^^^^ oversized-constant: `mad24` uses only the low 24 bits
        shfl.sync.bfly.b32 %r1, %r2, 33, 31, -1;
        //                           ^^ oversized-constant: `shfl` uses only the low 5 bits, which
        """,
    )


def test_floats() -> None:
    check_rule(
        RULE,
        """
        add.f32 %f1, %f2, 1e40;
        //                ^^^^ oversized-constant: `1e40` is too large for `.f32`: it becomes
        add.f32 %f1, %f2, -4.0e38;
        //                ^^^^^^^ oversized-constant: it becomes infinity
        add.f32 %f1, %f2, 0d7FEFFFFFFFFFFFFF;
        //                ^^^^^^^^^^^^^^^^^^ oversized-constant: it becomes infinity
        add.f32 %f1, %f2, 0f7F800000;
        add.f64 %fd1, %fd2, 1e300;
        """,
    )


def test_a_constant_in_a_block() -> None:
    check_rule(
        RULE,
        """
        { .reg .b16 t; add.u16 t, %h1, 70000; mov.b16 %h2, t; }
        //                             ^^^^^ oversized-constant: 4,464 is used instead
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "add.s32 %r1, %r2, -2147483648;",
        "add.u32 %r1, %r2, 4294967295;",
        "add.s32 %r1, %r2, 0xFFFFFFFF;",
        "mad.wide.u32 %rd1, %r1, 4, 0x100000000;",
        "ld.global.u32 %r1, [%rd1+5000000000];",
        "mul.hi.u32 %r1, %r2, -858993459;",
        "mov.f32 %f1, 0d3FF0000000000000;",
    )


def test_initial_values() -> None:
    check_rule_in_module(
        RULE,
        """
        .version 8.5
        .target sm_90a
        .address_size 64
        .const .u8 bytes[2][2] = {{255, -128}, {256, -129}};
        //                                      ^^^ oversized-constant: 0 is used instead
        //                                           ^^^^ oversized-constant: 127 is used instead
        .global .f32 big = 1.0e39, small = 1.0e38;
        //                 ^^^^^^ oversized-constant: it becomes infinity
        .global .u32 a = 0xFFFFFFFF, b = a + 70000, c = 0x100000000;
        //                                              ^^^^^^^^^^^ oversized-constant: 0 is used
        .global .u64 long = 0x100000000;
        """,
    )
