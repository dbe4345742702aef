"""The rule uncompilable."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_ls.source import Severity
from tests.support.assembling import assemble
from tests.support.lint import check_lint, check_module, diagnostics


def test_addresses_of_32_bits_in_a_module_of_64() -> None:
    check_lint("""
    ld.global.u32 %r1, [%r2];
    //                 ^^^^^ uncompilable: `[%r2]` has type `.b32`, expected a 64-bit register
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
    //      ^^^^^^^^^ uncompilable: ptxas does not compile a module with the unknown pragma
    .entry k()
    {
        .pragma "unknown";
    //          ^^^^^^^^^ ignored-directive
        ret;
    }
    """)


KEEPS_136 = "setmaxnreg.dec.sync.aligned.u32 136;"
TOO_MANY = (
    ("", ".maxnreg 128"),
    ("", ".reqntid 256 .maxnreg 130"),
    ("", ".maxntid 512 .maxnreg 128"),
    ("", ".maxnreg 24"),
    ("", ".maxnreg 135"),
    ("bar.sync 0;\n", ".reqntid 32, 8 .maxnreg 0x80"),
    ("L3:\n", ".reqntid 128 .minnctapersm 1 .maxnreg 128"),
)
ENOUGH = (
    ("", ".maxnreg 136"),
    ("", ".reqntid 513 .maxnreg 128"),
    ("", ".maxnreg 256"),
    ("", ".reqntid 128 .minnctapersm 1"),
    ("trap;\n", ".maxnreg 128"),
    ("setmaxnreg.inc.sync.aligned.u32 232;\n", ".maxnreg 128"),
    ("@%p bra L;\n", ".maxnreg 128"),
    ("call f;\n", ".maxnreg 128"),
)


def kernel(before: str, directives: str, mark: str = "") -> str:
    """A module whose kernel releases registers."""
    return (
        f".version 8.6\n.target sm_90a\n.address_size 64\n.func f() {{ ret; }}\n"
        f".entry k() {directives}\n{{\n.reg .pred %p;\n{before}{KEEPS_136}\n{mark}L2:\n"
        "@%p bra L2;\nL:\nret;\n}\n"
    )


@pytest.mark.parametrize(("before", "directives"), TOO_MANY)
def test_release_that_keeps_more_registers_than_there_are(before: str, directives: str) -> None:
    mark = "^^^^^^^^^^ uncompilable: `setmaxnreg.dec` keeps 136 registers, but the thread has "
    check_module(kernel(before, directives, f"{mark}\n"))


@pytest.mark.parametrize(("before", "directives"), ENOUGH)
def test_release_that_may_be_right(before: str, directives: str) -> None:
    found = diagnostics(kernel(before, directives))
    assert "uncompilable" not in [each.rule for each in found]


@pytest.mark.ptxas
@pytest.mark.parametrize(("before", "directives"), TOO_MANY)
def test_ptxas_compiles_none(before: str, directives: str, tmp_path: Path) -> None:
    assert "(C7406)" in assemble(kernel(before, directives), tmp_path, "sm_90a").output
