from tests.support.lint import check_declarations


def test_too_many() -> None:
    check_declarations("""
    .global .u32 x[2] = {1, 2, 3};
    //                  ^^^^^^^^^ initial-value: more initial values than `x` has elements
    .global .u32 y[2][2] = {{1, 2}, {3, 4}};
    .global .u32 z[2][2] = {{1, 2, 3}, {4}};
    //                     ^^^^^^^^^^^^^^^^ initial-value: more initial values than `z` has elements
    """)


def test_kinds() -> None:
    check_declarations("""
    .global .f32 x = 1;
    //               ^ initial-value: `1` cannot be a value of `x`, which is .f32
    .global .u32 y = 1.0;
    //               ^^^ initial-value: `1.0` cannot be a value of `y`, which is .u32
    .global .b32 z = 1.0;
    """)


def test_spaces() -> None:
    check_declarations("""
    .shared .b32 y;
    .global .u64 x = y;
    //               ^ initial-value: `y` is neither in .global nor in .const
    .const .b32 c;
    .global .u64 z = c;
    """)


def test_shape() -> None:
    check_declarations("""
    .global .u32 a = {1};
    //               ^^^ initial-value: the braces do not fit the dimensions of `a`
    .global .u32 b[2] = 1;
    //                  ^ initial-value: the braces do not fit the dimensions of `b`
    .global .u32 c[2][2] = {{1, 2}, 3};
    //                     ^^^^^^^^^^^ initial-value: the braces do not fit the dimensions of `c`
    .global .v2 .u32 d = {1};
    //                   ^^^ initial-value: the braces do not fit the dimensions of `d`
    .global .v2 .u32 e[2] = {{1, 2}};
    .global .u32 f[2][2] = {{1, 2}, {3}};
    .global .u32 g[][2] = {{1, -2}};
    .global .u64 h[2] = {generic(a), 4};
    .global .u32 i[2] = {};
    .global .v2 .u32 j = {1, 2};
    """)


def test_half_precision() -> None:
    check_declarations("""
    .global .f16 x = 0f3F800000;
    //               ^^^^^^^^^^ initial-value: `0f3F800000` cannot be a value of `x`, which is .f16
    .global .b16 y = 1;
    """)
