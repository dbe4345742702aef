from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from tests.support.lint import check_lint, check_module


def test_too_few() -> None:
    check_lint("""
    ld.global.v4.f32 {%f1, %f2}, [%rd1];
    //               ^^^^^^^^^^ vector-size: `{%f1, %f2}` has 2 elements, expected a vector of 4
    """)


def test_scalar() -> None:
    check_lint("""
    ld.global.v2.u32 %r1, [%rd1];
    //               ^^^ vector-size: `%r1` is not a vector, expected a vector of 2 `.u32`
    """)


def test_vector_for_a_scalar() -> None:
    check_lint("""
    ld.global.u32 {%r1, %r2}, [%rd1];
    //            ^^^^^^^^^^ vector-size: `{%r1, %r2}` has 2 elements, expected a `.u32` register
    """)


def test_joined_constants() -> None:
    check_lint("""
    mov.b64 %rd1, {1, 2};
    mov.b64 %rd1, {1, 2, 3, 4};
    mov.b64 %rd1, {1, 2, 3};
    //            ^^^^^^^^^ vector-size: has 3 elements, expected a vector with 64 bits in total
    mov.b32 %r1, {1, 2, 3, 4, 5, 6, 7, 8};
    //           ^^^^^^^^^^^^^^^^^^^^^^^^ vector-size
    mov.b64 {%r1, _, _}, %rd1;
    //      ^^^^^^^^^^^ vector-size
    """)


def test_special_registers() -> None:
    check_lint("""
    mov.u32 %r1, %tid;
    //           ^^^^ vector-size: `%tid` has 4 components, expected a single component
    mov.v4.u32 {%r1, %r2, %r3, _}, %tid;
    mov.v2.u32 {%r1, %r2}, %tid;
    //                     ^^^^ vector-size: `%tid` is not a vector, expected a vector of 2 `.u32`
    mov.u32 %r1, %tid.x;
    mov.v2.u32 {%r1, %r2}, %tid.x;
    """)


def test_a_constant_in_place_of_a_register_in_braces() -> None:
    check_module("""
    .version 9.0
    .target sm_120a
    .entry k(.param .b64 x) {
    .reg .b32 m, d<4>;
    .reg .b64 t;
    mbarrier.arrive.shared.b64 t, [m], {1};
    //                                 ^^^ operand-kind
    mbarrier.arrive.shared.b64 t, [m], {m, 1};
    //                                 ^^^^^^ operand-kind
    mbarrier.arrive.shared.b64 t, [m], {0f3F800000};
    //                                 ^^^^^^^^^^^^ operand-type
    mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32
        {d0,d1,d2,d3}, {d0,d1,d2,d3}, {d0,d1,d2,d3}, {d0,d1,d2,d3},
        {0f3F800000}, 0;
    //  ^^^^^^^^^^^^ operand-kind
    mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32
        {d0,d1,d2,d3}, {d0,d1,d2,d3}, {d0,d1,d2,d3}, {d0,d1,d2,d3},
        {1}, 0;
    //  ^^^ operand-type
    }
    """)


def test_component_is_suggested() -> None:
    text = ".version 8.0\n.target sm_90\n.entry k() {\n.reg .b32 r;\nmov.u32 r, %ctaid;\nret;\n}\n"
    [found] = [each for each in lint(Document.read(text)) if each.rule == "vector-size"]
    assert [each.title for each in found.fixes] == ["Append `.x`"]
