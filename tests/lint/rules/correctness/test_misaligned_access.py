from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from tests.support.fixture import assert_diagnostics, parse_fixture

ONLY = "misaligned-access"


def check_alignment(declarations: str, body: str, threads: str = "") -> None:
    """Fails unless exactly the marked accesses of a kernel are reported by this rule."""
    fixture = parse_fixture(
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 4 .b8 q[16])\n"
        f"{threads}\n"
        "{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n"
        f"{declarations}\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
        f"cvt.rn.f32.u32 %f1, %r1;\n{body}\nret;\n}}\n"
    )
    found = lint(Document.read(fixture.text), DEFAULT_RULES)
    assert_diagnostics(fixture, [each for each in found if each.rule == ONLY])


def test_offset_of_a_vector() -> None:
    check_alignment(
        ".shared .align 16 .b8 s[64];",
        """
    st.shared.v4.f32 [s+16], {%f1, %f1, %f1, %f1};
    st.shared.v4.f32 [s+20], {%f1, %f1, %f1, %f1};
    //                ^^^^ misaligned-access: `s+20` is not a multiple of 16
    st.shared.f32 [s+20], %f1;
    """,
    )


def test_declared_alignment_is_too_small() -> None:
    check_alignment(
        ".shared .align 4 .b8 s[64];\n.shared .f32 a[16];",
        """
    st.shared.v4.f32 [s], {%f1, %f1, %f1, %f1};
    //                ^ misaligned-access: `s` must be a multiple of 16, but is aligned only to 4
    st.shared.v2.f32 [a+8], {%f1, %f1};
    //                ^^^ misaligned-access: must be a multiple of 8, but it points into `a`
    st.shared.f32 [s], %f1;
    """,
    )


def test_index_that_keeps_the_remainder() -> None:
    check_alignment(
        "",
        """
    mul.wide.u32 %rd2, %r1, 32;
    add.s64 %rd3, %rd1, %rd2;
    st.global.v4.f32 [%rd3+16], {%f1, %f1, %f1, %f1};
    st.global.v4.f32 [%rd3+8], {%f1, %f1, %f1, %f1};
    //                ^^^^^^ misaligned-access: `%rd3+8` is not a multiple of 16
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd5, %rd1, %rd4;
    st.global.v4.f32 [%rd5], {%f1, %f1, %f1, %f1};
    //                ^^^^ misaligned-access: `%rd5` is not always a multiple of 16
    mul.wide.u32 %rd6, %r1, 16;
    add.s64 %rd7, %rd1, %rd6;
    st.global.v4.f32 [%rd7], {%f1, %f1, %f1, %f1};
    """,
    )


def test_index_of_some_thread() -> None:
    check_alignment(
        "",
        """
    mul.wide.u32 %rd2, %r1, 8;
    add.s64 %rd3, %rd1, %rd2;
    st.global.v4.f32 [%rd3], {%f1, %f1, %f1, %f1};
    //                ^^^^ misaligned-access: `%rd3` is not always a multiple of 16
    st.global.v2.f32 [%rd3], {%f1, %f1};
    """,
        threads=".reqntid 64",
    )


def test_known_bits_without_a_base() -> None:
    check_alignment(
        "",
        """
    ld.global.u64 %rd2, [%rd1];
    and.b64 %rd3, %rd2, -16;
    st.global.u64 [%rd3+8], %rd2;
    st.global.u64 [%rd3+4], %rd2;
    //             ^^^^^^ misaligned-access: `%rd3+4` is not a multiple of 8
    """,
    )


def test_parameters_are_split() -> None:
    check_alignment(
        "",
        """
    ld.param.v4.f32 {%f1, %f2, %f3, %f4}, [q];
    ld.param.f32 %f5, [q+2];
    //                 ^^^ misaligned-access: `q+2` is not a multiple of 4
    """,
    )


def test_barriers_and_copies() -> None:
    check_alignment(
        ".shared .align 16 .b8 s[256];",
        """
    mbarrier.init.shared::cta.b64 [s+12], 1;
    //                             ^^^^ misaligned-access: `s+12` is not a multiple of 8
    cp.async.ca.shared.global [s+4], [%rd1], 4;
    cp.async.ca.shared.global [s+4], [%rd1+4], 8;
    //                         ^^^ misaligned-access: `s+4` is not a multiple of 8
    //                                ^^^^^^ misaligned-access: `%rd1+4` is not a multiple
    cp.async.bulk.global.shared::cta.bulk_group [%rd1+24], [s], 32;
    //                                           ^^^^^^^ misaligned-access: `%rd1+24` is not a
    """,
    )
