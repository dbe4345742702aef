import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.lint import check_declarations, check_lint, diagnostics, module


def test_division_by_zero() -> None:
    check_lint("""
    mov.u32 %r1, 5 / 2;
    mov.u32 %r1, 5 / 0;
    //               ^ constant-expression: division by zero
    mov.u32 %r1, 5 % (3 - 3);
    //               ^^^^^^^ constant-expression: division by zero
    mov.u32 %r1, 1 ? 2 : (1 / (1 > 2));
    //                        ^^^^^^^ constant-expression: division by zero
    mov.u32 %r1, 1 / (WARP_SZ - 32);
    //               ^^^^^^^^^^^^^^ constant-expression: division by zero
    mov.u32 %r1, 1 / (1 << 64);
    ld.u32 %r1, [%rd1 + 8 / 0];
    //                      ^ constant-expression: division by zero
    """)


def test_kinds() -> None:
    check_lint("""
    mov.f32 %f1, 1.0 + 2.0;
    mov.f32 %f1, 1.0 + 2;
    //           ^^^^^^^ constant-expression: `1.0 + 2` mixes an integer with a floating-point
    mov.b64 %rd1, ~1.0;
    //             ^^^ constant-expression: `1.0` is a floating-point number, expected an integer
    mov.b64 %rd1, 1.0 % 2.0;
    //            ^^^ constant-expression: `1.0` is a floating-point number, expected an integer
    mov.b64 %rd1, 0f3f800000 + 2.0;
    //            ^^^^^^^^^^ constant-expression: `0f3f800000` cannot be used in a constant
    mov.b64 %rd1, 1.0 < 2.0;
    mov.b64 %rd1, -1.0;
    """)


def test_result_and_instruction() -> None:
    check_lint("""
    add.u32 %r1, %r2, 4.0 + 2.0;
    //                ^^^^^^^^^ operand-type: `4.0 + 2.0`
    mov.f32 %f1, 4 + 2;
    //           ^^^^^ operand-type: `4 + 2`
    add.u32 %r1, %r2, 4.0 > 2.0;
    """)


def test_declarations() -> None:
    check_declarations("""
    .global .u32 a[2] = {1, 5 / 0};
    //                          ^ constant-expression: division by zero
    .global .f32 b = 1.0 / 3.0;
    .global .u64 c = a + 4 * 2;
    """)


_TOKENS = st.sampled_from(
    "1 0 2.5 0f3f800000 WARP_SZ n %r1 ( ) (.s64) + - / % ! ~ << < && ? : , 1e308 *".split()
)


@given(st.lists(_TOKENS, max_size=40))
def test_any_expression_is_read(tokens: list[str]) -> None:
    for statement in (
        f"mov.u64 %rd1, {' '.join(tokens)};",
        f".global .u64 g = {' '.join(tokens)};",
    ):
        diagnostics(module(statement))


@pytest.mark.parametrize("nested", ["(" * 100 + "1" + ")" * 100, "- " * 5000 + "1 / 0"])
def test_depth(nested: str) -> None:
    diagnostics(module(f"mov.u64 %rd1, {nested};"))


def test_casts() -> None:
    check_lint("""
    mov.u32 %r1, (.b32) 3;
    //            ^^^^ constant-expression: a constant is cast to `.b32`, expected `.s64` or `.u64`
    mov.u64 %rd1, (.u64) 3;
    mov.s64 %rd1, (.s64) -3;
    """)
    check_declarations("""
    .global .u32 a = (.u32) 3;
    //                ^^^^ constant-expression: a constant is cast to `.u32`
    .global .u32 b = (.u64) 3;
    """)
