"""Hovers on the value of a register."""

from textwrap import dedent

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.hover.register_value import register_at, register_value
from ptx_ls.semantics.analysis import Analysis
from tests.support.fixture import parse_fixture

HEAD = """\
.version 8.0
.target sm_90
.address_size 64
.shared .align 16 .b8 sm[2048];
.visible .entry k(.param .u64 .ptr .global .align 16 p, .param .u32 n)
.reqntid 128
{
.reg .pred %p<9>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
"""


def check_value(marked: str, expected: str) -> None:
    """Checks the description of the register at the cursor, in the body of a kernel."""
    fixture = parse_fixture(f"{HEAD}{dedent(marked)}\nret;\n}}\n")
    analysis = Analysis(Document.read(fixture.text))
    register = register_at(analysis, fixture.cursor)
    assert register is not None
    assert register_value(analysis, register) == dedent(expected).strip()


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("mov.u32 %r<|>1, 64;", "`%r1 = 64` (`0x40`)"),
        ("mov.u32 %r1, 7; add.u32 %r2, %r<|>1, 1;", "`%r1 = 7`"),
        ("mov.u32 %r<|>1, -1;", "`%r1 = 4294967295` (`0xffffffff`, signed `-1`)"),
        (
            "mov.u32 %r1, %tid.x; and.b32 %r<|>2, %r1, 96;",
            "`%r2` is between 0 and 96, and a multiple of 32",
        ),
        ("mov.u32 %r<|>1, %tid.x;", "`%r1 = %tid.x`\n\n`%r1` is between 0 and 127"),
        (
            "mov.u32 %r1, %tid.x; mul.lo.u32 %r<|>2, %r1, 4;",
            "`%r2 = 4*%tid.x`\n\n`%r2` is between 0 and 508, and a multiple of 4",
        ),
        (
            "mov.u32 %r1, sm; mapa.shared::cluster.u32 %r<|>2, %r1, 1;",
            "`%r2 = mapa(sm)`\n\n`%r2` is a multiple of 16, and an address in `.shared::cluster`",
        ),
        (
            "mov.u32 %r<|>1, sm;",
            "`%r1 = sm`\n\n`%r1` is a multiple of 16, and an address in `.shared`",
        ),
        (
            """
            mov.u32 %r1, %tid.x;
            ld.param.u64 %rd1, [p];
            mul.wide.u32 %rd2, %r1, 4;
            add.s64 %rd3, %rd1, %rd2;
            add.s64 %rd<|>4, %rd3, 16;
            """,
            "`%rd4 = p + 4*%tid.x + 16`\n\n`%rd4` is a multiple of 4, and an address in `.global`",
        ),
        (
            """
            ld.param.u32 %r1, [n];
            setp.ge.u32 %p1, %r1, 100;
            @%p1 ret;
            add.u32 %r2, %r<|>1, 1;
            """,
            "`%r1 = n`\n\n`%r1` is between 0 and 99",
        ),
        (
            """
            mov.u32 %r1, 0;
            L:
            add.u32 %r1, %r<|>1, 4;
            setp.lt.u32 %p1, %r1, 40;
            @%p1 bra L;
            """,
            "`%r1 = 4*iteration(L)`\n\n`%r1` is between 0 and 36, and a multiple of 4",
        ),
        ("ld.global.u32 %r1, [sm]; shr.s32 %r<|>1, %r1, 31;", "`%r1` is either -1 or 0"),
        ("setp.eq.u32 %p1, 1, 1; @%p<|>1 ret;", "`%p1` is always true here"),
        ("ld.global.u32 %r<|>1, [sm];", ""),
        (".reg .f32 %f; mov.f32 %f<|>, 0f3F800000;", "`%f = 1.0`"),
        (".reg .f32 %f; mov.b32 %f<|>, 0x3FC00000;", "`%f = 1.5`"),
        (".reg .f64 %d; mov.f64 %d, 0d3FB999999999999A; neg.f64 %d, %d<|>;", "`%d = 0.1`"),
        ("mov.b32 %r<|>1, 0f3F800000;", "`%r1 = 1065353216` (`0x3f800000`, as a float `1.0`)"),
        ("mov.b32 %r<|>1, 0x3F3F3F3F;", "`%r1 = 1061109567` (`0x3f3f3f3f`)"),
        ("mov.b32 %r<|>1, 0x7F800000;", "`%r1 = 2139095040` (`0x7f800000`)"),
        (
            "mov.b64 %rd<|>1, 0dBFE0000000000000;",
            (
                "`%rd1 = 13826050856027422720` (`0xbfe0000000000000`, "
                "signed `-4620693217682128896`, as a float `-0.5`)"
            ),
        ),
        (".reg .f16 %h; mov.b16 %h<|>, 0x3C00;", ""),
        (".reg .f32 %f; add.f32 %f<|>, 0f3F800000, 0f3F800000;", ""),
        (
            "ld.global.u32 %r1, [sm]; mul.lo.u32 %r1, %r1, 8; st.u32 [sm], %r<|>1;",
            "`%r1 = 8*%r1`\n\n`%r1` is a multiple of 8",
        ),
        ("mov.u32 %r1, 3; mov.u32 %r1, 4; mov.u32 %r2, %r<|>1;", "`%r1 = 4`"),
    ],
)
def test_what_is_known(marked: str, expected: str) -> None:
    check_value(marked, expected)


def test_the_same_register_read_and_written() -> None:
    check_value("mov.u32 %r1, 3; add.u32 %r<|>1, %r1, 1;", "`%r1 = 4`")
    check_value("mov.u32 %r1, 3; add.u32 %r1, %r<|>1, 1;", "`%r1 = 3`")


@pytest.mark.parametrize("marked", ["mov.u<|>32 %r1, 3;", "bra L<|>; L:", ".reg .b32 %q<|>;"])
def test_only_registers_that_are_used_have_a_value(marked: str) -> None:
    fixture = parse_fixture(f"{HEAD}{marked}\nret;\n}}\n")
    analysis = Analysis(Document.read(fixture.text))
    register = register_at(analysis, fixture.cursor)
    assert register is None or register_value(analysis, register) == ""


def test_a_function_that_cannot_be_read_has_no_values() -> None:
    check_value("mov.u32 %r<|>1, 64; add.u32 %r1 %r2;", "")


def test_descriptor_that_is_a_constant() -> None:
    check_value(
        """
        mov.b32 %r1, 0x4110010;
        tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r<|>1, %p1;
        """,
        """
        `%r1 = 68222992` (`0x4110010`)

        Instruction descriptor: M is 64, N is 64, A is `.f16`, B is `.f16`, D is `.f32`, B is transposed.
        """,  # noqa: E501
    )
    check_value("mov.b32 %r1, 1; add.u32 %r2, %r<|>1, 1;", "`%r1 = 1`")


def test_descriptor_whose_bits_are_known() -> None:
    check_value(
        """
        mov.u32 %r1, sm;
        and.b32 %r2, %r1, 0x3ffff;
        shr.u32 %r3, %r2, 4;
        cvt.u64.u32 %rd1, %r3;
        or.b64 %rd2, %rd1, 0x8000002000010000;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd<|>2, %rd2, 1, 1, 1, 0, 0;
        """,
        """
        Matrix descriptor: leading dimension offset is 16, stride dimension offset is 512, \
swizzling mode is 64 bytes; unknown: start address.

        Where each piece of 16 bytes is stored, in rows of 128 bytes:

        ```
        0 1 2 3 4 5 6 7
        1 0 3 2 5 4 7 6
        2 3 0 1 6 7 4 5
        3 2 1 0 7 6 5 4
        ```
        """,
    )
