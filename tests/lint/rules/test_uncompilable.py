"""The rule uncompilable."""

from ptx_ls.source import Severity
from tests.support.lint import check_lint, check_module, diagnostics


def test_addresses_of_32_bits_in_a_module_of_64() -> None:
    check_lint("""
    ld.global.u32 %r1, [%r2];
    //                 ^^^^^ uncompilable: `[%r2]` has type .b32, expected a 64-bit register
    st.u32 [%r2+4], %r1;
    //     ^^^^^^^ uncompilable
    red.global.add.u32 [%r1], %r2;
    //                 ^^^^^ uncompilable
    ld.shared.u32 %r1, [%r2];
    ld.const.u32 %r1, [%r2];
    ld.global.u32 %r1, [%rd2];
    """)


def test_modules_of_32_bits() -> None:
    check_module("""
    .version 7.0
    .target sm_50
    .entry k() {
    .reg .b32 %r<3>;
    ld.global.u32 %r1, [%r2];
    ret;
    }
    """)


def test_targets_that_ptxas_no_longer_compiles_for() -> None:
    text = """\
.version 7.0
.target sm_50
.address_size 64
.entry k() {
.reg .b32 %r<3>;
ld.global.u32 %r1, [%r2];
ret;
}
"""
    assert [each.severity for each in diagnostics(text)] == [Severity.WARNING]


def test_unknown_pragmas_of_a_module() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .pragma "unknown", "nounroll";
    //      ^^^^^^^^^ uncompilable: ptxas compiles no module with the unknown pragma `unknown`
    .entry k()
    {
        .pragma "unknown";
    //          ^^^^^^^^^ ignored-directive
        ret;
    }
    """)
