from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.source import Position, Severity
from tests.support.fixture import assert_diagnostics, parse_fixture
from tests.support.lint import applied

HEADER = """\
.version 8.0
.target sm_90
.address_size 64
"""
ONLY = "out-of-bounds"


def check_bounds(declarations: str, body: str, banner: str = "") -> None:
    """Fails unless exactly the marked accesses of a kernel are reported by this rule.

    `banner`: the first line of the module.
    """
    fixture = parse_fixture(banner + kernel(declarations, body))
    found = lint(Document.read(fixture.text), DEFAULT_RULES)
    assert_diagnostics(fixture, [each for each in found if each.rule == ONLY])


def kernel(declarations: str, body: str) -> str:
    """Returns a module with a kernel that has registers of all usual types."""
    return (
        f"{HEADER}.visible .entry k(.param .u64 p, .param .b8 flag)\n"
        "{\n.reg .b16 %rs<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f64 %fd<9>;\n"
        f"{declarations}\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\ncvt.u64.u32 %rd1, %r1;\n"
        f"mov.u64 %rd2, %rd1;\ncvt.rn.f64.u32 %fd1, %r1;\nmov.f64 %fd2, %fd1;\n{body}\nret;\n}}\n"
    )


def test_type_wider_than_a_variable() -> None:
    check_bounds(
        ".shared .b32 count;",
        """
    ld.shared.u64 %rd1, [count];
    //                   ^^^^^ out-of-bounds: `count` is `.b32`, but is accessed as `.u64`
    st.shared.v2.f64 [count+8], {%fd1, %fd2};
    //                ^^^^^^^ out-of-bounds: `count+8` is `.b32`, but is accessed as `.f64`
    ld.u64 %rd1, [count];
    //            ^^^^^ out-of-bounds
    """,
    )


def test_parameters() -> None:
    check_bounds(
        "",
        """
    ld.param.u16 %rs1, [flag];
    //                  ^^^^ out-of-bounds: `flag` is `.b8`, but is accessed as `.u16`
    ld.param.u8 %rs1, [flag];
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [p+4];
    ld.param.u32 %r1, [p+8];
    //                 ^^^ out-of-bounds: offset 8 is out of bounds for `p`, which has 8 bytes
    """,
    )


def test_arrays_vectors_and_other_instructions() -> None:
    check_bounds(
        ".shared .align 8 .b8 bytes[1];\n.shared .v2.b32 pair;\n.shared .b32 count;",
        """
    ld.shared.u64 %rd1, [bytes];
    //                   ^^^^^ out-of-bounds: reaches beyond the end of `bytes`
    ld.shared.u64 %rd1, [pair];
    ld.shared.u32 %r1, [pair+8];
    //                  ^^^^^^ out-of-bounds: offset 8 is out of bounds for `pair`
    ld.shared.v2.u32 {%r1, %r2}, [count];
    //                            ^^^^^ out-of-bounds: reaches beyond the end of `count`
    atom.shared.add.u64 %rd1, [count], 1;
    //                         ^^^^^ out-of-bounds
    """,
    )


def test_element_of_an_array() -> None:
    check_bounds(
        ".global .u32 table[4];",
        """
    ld.global.u32 %r1, table[3];
    ld.global.u32 %r1, table[4];
    //                 ^^^^^^^^ out-of-bounds: offset 16 is out of bounds for `table`
    """,
    )


def test_constant_expressions_and_long_offsets() -> None:
    check_bounds(
        ".shared .b32 s[4];",
        """
    ld.shared.u32 %r1, [s+(2+1)*4];
    ld.shared.u32 %r1, [s+4*4];
    //                  ^^^^^ out-of-bounds: offset 16
    ld.shared.u32 %r1, [s+0xFFFFFFFC];
    //                  ^^^^^^^^^^^^ out-of-bounds: offset -4 is before the start of `s`
    ld.shared.u32 %r1, [s+-4];
    //                  ^^^^ out-of-bounds: offset -4
    """,
    )


def test_values_give_an_array_its_size() -> None:
    check_bounds(
        ".global .u16 three[] = {1, 2, 3};\n.global .u16 pairs[][2] = {{1, 2}, {3, 4}};",
        """
    ld.global.u16 %rs1, [three+4];
    ld.global.u16 %rs1, [three+6];
    //                   ^^^^^^^ out-of-bounds: offset 6 is out of bounds for `three`
    ld.global.u16 %rs1, [pairs+6];
    ld.global.u16 %rs1, [pairs+8];
    //                   ^^^^^^^ out-of-bounds: offset 8 is out of bounds for `pairs`
    """,
    )


def test_unknown_sizes() -> None:
    check_bounds(
        ".shared .b8 none[0];",
        """
    ld.shared.u32 %r1, [none+64];
    ld.shared.u32 %r1, [unknown+64];
    """.replace("unknown", "none"),
    )


def test_hints_access_nothing() -> None:
    check_bounds(".global .b32 g[4];", "prefetch.global.L1 [g+4096];")


def test_size_of_a_copy_in_a_register() -> None:
    check_bounds(
        ".shared .align 16 .b8 s[64];\n.global .align 16 .b8 g[64];",
        "cp.async.bulk.global.shared::cta.bulk_group [g], [s], %r1;",
    )


def test_name_in_a_block() -> None:
    check_bounds(
        ".shared .b32 s[8];",
        """
    {
    .shared .b32 s[2];
    ld.shared.u32 %r1, [s+8];
    //                  ^^^ out-of-bounds: which has 8 bytes
    }
    ld.shared.u32 %r1, [s+8];
    """,
    )


def test_several_statements_on_a_line_and_comments() -> None:
    check_bounds(
        ".shared .b32 s[2];",
        """
    ld.shared.u32 %r1, [s+4]; ld.shared.u32 %r2, [s+8];
    //                                            ^^^ out-of-bounds
    ld.shared.u32 %r1, /* [s+8] */ [s+4];
    """,
    )


def test_new_values_change_what_other_functions_draw() -> None:
    text = (
        HEADER
        + ".global .u32 t[] = {1, 2, 3};\n"
        + kernel("", "ld.global.u32 %r1, [t+8];")[len(HEADER) :]
    )
    document = Document.read(text)
    assert ONLY not in {each.rule for each in lint(document, DEFAULT_RULES)}
    column = document.lines[3].index(", 3")
    changed = edited(document, Position(3, column), Position(3, column + len(", 3")), "")
    assert ONLY in {each.rule for each in lint(changed, DEFAULT_RULES)}


def test_fix_accesses_what_there_is() -> None:
    before = kernel(".shared .b32 count;", "ld.shared.u64 %rd3, [count];")
    document = Document.read(before)
    found = next(each for each in lint(document, DEFAULT_RULES) if each.rule == ONLY)
    assert applied(document, found.fixes[0].edits) == before.replace("shared.u64", "shared.b32")


def test_offset_before_a_variable_in_a_long_kernel_of_a_compiler() -> None:
    loads = "\n".join(f"ld.shared.b32 %r5, [%r4+{4 * each}];" for each in range(1, 33))
    check_bounds(
        ".shared .align 4 .b8 tile[8192];",
        f"""
        mov.u32 %r3, tile;
        mad.lo.u32 %r4, %r1, 4, %r3;
        st.shared.b32 [%r4], %r1;
        st.shared.b32 [%r4+-8192], %r1;
        //             ^^^^^^^^^ out-of-bounds
        {loads}
        """,
        banner="// Generated by NVIDIA NVVM Compiler\n",
    )


def test_small_offset_before_a_variable_in_a_long_kernel_of_a_compiler() -> None:
    loads = "\n".join(f"ld.shared.b32 %r5, [%r4+{4 * each}];" for each in range(1, 33))
    check_bounds(
        ".shared .align 4 .b8 tile[8192];",
        f"""
        mov.u32 %r3, tile;
        mad.lo.u32 %r4, %r1, 4, %r3;
        st.shared.b32 [%r4], %r1;
        st.shared.b32 [%r4+-640], %r1;
        //             ^^^^^^^^ out-of-bounds
        {loads}
        """,
        banner="// Generated by NVIDIA NVVM Compiler\n",
    )


def test_code_of_larger_blocks() -> None:
    """A kernel may have code for blocks that are larger than those with which it is launched."""
    body = """
        .reg .pred %p<5>;
        shl.b32 %r3, %r1, 2;
        mov.u32 %r4, values;
        add.s32 %r5, %r4, %r3;
        st.shared.u32 [%r5], %r1;
        mov.u32 %r6, %ntid.x;
        setp.lt.u32 %p1, %r6, 512;
        @%p1 bra small;
        ld.shared.u32 %r7, [%r5+1024];
        //                  ^^^^^^^^ out-of-bounds
        small:
        setp.ge.u32 %p2, %r1, 256;
        @%p2 ld.shared.u32 %r7, [%r5];
        //                       ^^^ out-of-bounds
        setp.ge.u32 %p3, %r1, 128;
        @%p3 ld.shared.u32 %r7, [%r5+512];
        //                       ^^^^^^^ out-of-bounds
        """
    check_bounds(".shared .align 4 .b8 values[1024];", body)
    text = parse_fixture(kernel(".shared .align 4 .b8 values[1024];", body)).text
    found = [each.severity for each in lint(Document.read(text)) if each.rule == ONLY]
    assert found == [Severity.INFORMATION, Severity.INFORMATION, Severity.WARNING]
