from ptx_ls.source import Severity
from tests.support.lint import check_fix, check_lint, check_module, diagnostics, module


def test_narrower() -> None:
    check_lint("""
    add.s64 %rd1, %rd2, %r1;
    //                  ^^^ operand-width: `%r1` has type .b32, expected a .s64 register
    """)


def test_wider() -> None:
    check_lint("""
    add.s32 %r1, %r2, %rd1;
    //                ^^^^ operand-width: `%rd1` has type .b64, expected a .s32 register
    """)


def test_loads_extend() -> None:
    check_lint("""
    ld.global.u8 %r1, [%rd1];
    """)


def test_addresses_of_32_bits() -> None:
    check_lint("""
    ld.global.u32 %r1, [%r2];
    //                 ^^^^^ operand-width: `[%r2]` has type .b32, expected a 64-bit register
    st.u32 [%r2+4], %r1;
    //     ^^^^^^^ operand-width: `[%r2+4]` has type .b32, expected a 64-bit register
    ld.shared.u32 %r1, [%r2];
    ld.const.u32 %r1, [%r2];
    ld.global.u32 %r1, [%rd2];
    """)
    check_module("""
    .version 7.0
    .target sm_50
    .entry k() {
    .reg .b32 %r<3>;
    ld.global.u32 %r1, [%r2];
    ret;
    }
    """)


def test_narrow_addresses_are_no_error() -> None:
    found = diagnostics(module("red.global.add.u32 [%r1], %r2;\n"))
    assert [each.severity for each in found] == [Severity.WARNING]


def test_register_of_another_bank() -> None:
    check_fix("add.s32 %r1, %r2, %rd3;\n", "add.s32 %r1, %r2, %r3;\n")
