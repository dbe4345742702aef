from tests.support.lint import check_declarations


def test_too_many() -> None:
    check_declarations("""
    .global .u32 x[2] = {1, 2, 3};
    //                  ^^^^^^^^^ initial-value: too many initial values for `x`
    .global .u32 y[2][2] = {{1, 2}, {3, 4}};
    .global .u32 z[2][2] = {{1, 2, 3}, {4}};
    //                     ^^^^^^^^^^^^^^^^ initial-value: too many initial values for `z`
    """)


def test_kinds() -> None:
    check_declarations("""
    .global .f32 x = 1;
    //               ^ initial-value: the initial value of `x`, which is `.f32`, must be a
    .global .u32 y = 1.0;
    //               ^^^ initial-value: the initial value of `y`, which is `.u32`, must be an
    .global .b32 z = 1.0;
    """)


def test_spaces() -> None:
    check_declarations("""
    .shared .b32 y;
    .global .u64 x = y;
    //               ^ initial-value: `y` cannot be an initial value, expected a variable in
    .const .b32 c;
    .global .u64 z = c;
    """)


def test_shape() -> None:
    check_declarations("""
    .global .u32 a = {1};
    //               ^^^ initial-value: the braces do not match the dimensions of `a`
    .global .u32 b[2] = 1;
    //                  ^ initial-value: the braces do not match the dimensions of `b`
    .global .u32 c[2][2] = {{1, 2}, 3};
    //                     ^^^^^^^^^^^ initial-value: the braces do not match the dimensions of `c`
    .global .v2 .u32 d = {1};
    //                   ^^^ initial-value: the braces do not match the dimensions of `d`
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
    //               ^^^^^^^^^^ initial-value: `x` cannot have an initial value, because
    .global .b16 y = 1;
    """)


def test_addresses() -> None:
    check_declarations("""
    .global .u32 f;
    .func g();
    .global .u64 a[4] = {f, f + 4, generic(f) + 4 * 2, f + WARP_SZ};
    .global .u64 b = g;
    .global .b64 c = f;
    //               ^ initial-value: the address of `f` fits only a `.u32` or `.u64` variable
    .global .u64 d = f - 4;
    //               ^^^^^ initial-value: `f - 4` cannot be an initial value, expected
    .global .u64 e = generic(g);
    //               ^^^^^^^^^^ initial-value: the address of function `g` must be written as `g`,
    .global .u64 h = f + 1.0;
    //               ^^^^^^^ initial-value: `1.0` is added to an address, expected an integer
    """)


def test_bytes_of_addresses() -> None:
    check_declarations("""
    .global .u32 f;
    .global .u8 a[2] = {0xFF(f), 0xFF00(generic(f) + 4)};
    .global .u8 b[2] = {0xFFF(f), 1};
    //                  ^^^^^^^^ initial-value: `0xFFF` does not select a single byte of an address
    .global .b8 c[2] = {0xFF(f), 1};
    //                  ^^^^^^^ initial-value: a byte of the address of `f` fits only a `.u8`
    """)


def test_results_of_expressions() -> None:
    check_declarations("""
    .global .f32 a = 1.0 + 2.0;
    .global .f32 b = 1.0 > 2.0;
    //               ^^^^^^^^^ initial-value: the initial value of `b`, which is `.f32`, must be
    .global .u32 c = 1.0 > 2.0;
    .global .u32 d = 1.0 + 2.0;
    //               ^^^^^^^^^ initial-value: the initial value of `d`, which is `.u32`, must be
    .global .f32 e = WARP_SZ;
    //               ^^^^^^^ initial-value: the initial value of `e`, which is `.f32`, must be
    .global .f32 f[3] = {0f00000000, 1, 0f00000000};
    //                               ^ initial-value: the initial value of `f`, which is `.f32`
    """)


def test_names_without_address() -> None:
    check_declarations("""
    .entry k(.param .u32 p) {
    .reg .u32 r;
    .global .u32 a = r;
    //               ^ initial-value: `r` cannot be an initial value, expected a variable in
    .global .u64 b = p;
    //               ^ initial-value: `p` cannot be an initial value, expected a variable in
    .global .u64 c = k;
    }
    """)


def test_mask_of_a_number() -> None:
    check_declarations("""
    .global .u8 x = 0xff(3);
    .global .u8 y = 5(3);
    //              ^^^^ initial-value: `5` does not select a single byte of an address
    .global .u8 z = 0xff();
    //                   ^ syntax-error: expected an operand, found `)`
    """)


def test_what_is_expected() -> None:
    check_declarations("""
    .global .u32 x[1] = {1, 2, 3};
    //                  ^^^^^^^^^ initial-value: too many initial values for `x`
    .global .u32 y[2][2] = {{1, 2}, {3, 4, 5}};
    //                     ^^^^^^^^^^^^^^^^^^^ initial-value: found 3 in braces, expected at most 2
    .global .f64 z = -1;
    //               ^^ initial-value: which is `.f64`, must be a floating-point constant
    .global .u32 w = 1.0;
    //               ^^^ initial-value: which is `.u32`, must be an integer, found `1.0`
    """)


def test_names_of_values() -> None:
    check_declarations("""
    .global .u32 x;
    .global .b64 a[4] = {any = 1, x = 1.5, %any = 1 + 2, width = nearest};
    .global .b64 b[4] = {any = x};
    //                         ^ initial-value: the initial value of `b`, which is `.b64`, must be
    .global .b64 c = {any = 1};
    //               ^^^^^^^^^ initial-value: the braces do not match the dimensions of `c`
    .global .b64 d[4] = {1 = 1};
    //                     ^ syntax-error: found `=`
    .global .b64 e[4] = {WARP_SZ = 1};
    //                           ^ syntax-error: found `=`
    .global .b64 f[4] = {x + 1 = 1};
    //                         ^ syntax-error: found `=`
    .global .b64 g = ();
    //                ^ syntax-error: expected an operand, found `)`
    """)
