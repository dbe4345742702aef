from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from tests.support.fixture import assert_diagnostics, parse_fixture

ONLY = "truncated-address"


def check_width(body: str) -> None:
    """Fails unless exactly the marked accesses of a kernel are reported by this rule."""
    fixture = parse_fixture(
        ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 8 .b8 g[64];\n"
        ".visible .entry k(.param .u64 p, .param .u64 n)\n"
        "{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .b32 s[8];\n"
        "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\nld.param.u64 %rd3, [n];\n"
        f"mov.u32 %r1, %tid.x;\n{body}\nret;\n}}\n"
    )
    found = lint(Document.read(fixture.text), DEFAULT_RULES)
    assert_diagnostics(fixture, [each for each in found if each.rule == ONLY])


def test_sum_with_32_bits() -> None:
    check_width("""
    cvt.u32.u64 %r2, %rd2;
    add.u32 %r3, %r2, %r1;
    cvt.u64.u32 %rd4, %r3;
    st.global.u32 [%rd4], %r1;
    //             ^^^^ truncated-address: `%rd4` holds only the low 32 bits of the pointer `p`
    st.u32 [%rd4+4], %r1;
    //      ^^^^^^ truncated-address
    """)


def test_global_variable() -> None:
    check_width("""
    mov.u32 %r2, g;
    cvt.u64.u32 %rd4, %r2;
    st.global.u32 [%rd4], %r1;
    //             ^^^^ truncated-address: the pointer `g`
    """)


def test_index_and_shared_address() -> None:
    check_width("""
    cvt.u32.u64 %r2, %rd3;
    cvt.u64.u32 %rd4, %r2;
    add.s64 %rd5, %rd2, %rd4;
    st.global.u32 [%rd5], %r1;
    mov.u32 %r3, s;
    cvt.u64.u32 %rd6, %r3;
    st.shared.u32 [%rd6], %r1;
    """)
