"""Which changes count as differences."""

from textwrap import dedent

import pytest

from ptx_ls.comparison.comparison import compare
from ptx_ls.comparison.result import ChangeKind
from ptx_ls.document.document import Document

HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n"
FUNCTION = """
.visible .entry k(.param .u64 p)
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    .shared .align 4 .b8 tile[64];
"""


def body(code: str) -> str:
    return f"{HEADER}{FUNCTION}{dedent(code)}\n ret;\n}}\n"


def check_compare(old: str, new: str) -> list[str]:
    """Returns the differences as lines: properties, and statements with a sign."""
    found = compare(Document.read(old), Document.read(new))
    lines = [f"{it.name}: {it.old or 'none'} -> {it.new or 'none'}" for it in found.facts]
    for function in found.differing:
        if function.kind is not ChangeKind.CHANGED:
            lines.append(f"{function.kind.value} {function.name}")
            continue
        lines += [f"{it.name}: {it.old or 'none'} -> {it.new or 'none'}" for it in function.facts]
        for row in function.rows:
            if row.kind is not ChangeKind.SAME:
                sign = "moved " if row.kind is ChangeKind.MOVED else ""
                lines += [f"{sign}- {row.old}"] if row.old else []
                lines += [f"{sign}+ {row.new}"] if row.new else []
    assert found.is_same == (not lines)
    return lines


def check_bodies(old: str, new: str) -> list[str]:
    return check_compare(body(old), body(new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("add.s32 %r1, %r2, %r3;", "add.s32 %r7, %r8, %r1;"),
        ("add.s32 %r1, %r2, 16;", "add.s32\t%r1,%r2,0x10; // sum"),
        ("mov.f32 %r1, 0F3F800000;", "mov.f32 %r1, 0f3f800000;"),
        ("ld.shared.u32 %r1, [tile+0];", "ld.shared.u32 %r1, [tile];"),
        ("ld.shared.u32 %r1, [%r2+-4];", "ld.shared.u32 %r1, [%r2-4];"),
        ("A: bra A;", "$L__BB0_7: bra $L__BB0_7;"),
        ("ret;", "Unused: ret;"),
        ("ret;", ".reg .f64 %never<5>; ret;"),
        ("{ .reg .b32 t; mov.b32 t, 1; }", ".reg .b32 u; mov.b32 u, 1;"),
        (
            "{ .reg .b32 t; mov.b32 t, 1; } { .reg .b32 t; mov.b32 t, 2; }",
            ".reg .b32 u, v; mov.b32 u, 1; mov.b32 v, 2;",
        ),
        ("mov.u32 %r1, %tid.x;", "mov .u32 %r1, %tid .x;"),
        (
            "pro: .callprototype _ (.param .b32 _); call %rd1, (%r1), pro;",
            "q: .callprototype _ (.param .b32 _); call %rd1, (%r1), q;",
        ),
        (
            "pro: .callprototype (.param .b64 out) _ (.param .b8 in[16]); call %rd1, (%r1), pro;",
            "pro: .callprototype (.param .b64 _) _ (.param .b8 _[0x10]); call %rd1, (%r1), pro;",
        ),
        ("ld.shared.u32 %r1, [tile-0];", "ld.shared.u32 %r1, [tile];"),
        (".reg .v2 .b32 v; mov.b32 %r1, v.r;", ".reg .v2 .b32 w; mov.b32 %r1, w.x;"),
        ("mov.u32 %r1, (5U + 0x1U);", "mov.u32 %r1, (5 + 1);"),
    ],
)
def test_the_same(old: str, new: str) -> None:
    assert check_bodies(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("mov.u32 %r1, %tid.x;", "mov.u32 %r1, %tid.y;"),
        ("mov.u32 %r1, %tid.x;", "mov.u32 %r1, %ntid.x;"),
        ("mov.u32 %r1, 1;", "mov.u32 %r1, 2;"),
        ("mov.u32 %r1, 1;", "mov.s32 %r1, 1;"),
        ("@%p1 bra A; A:", "@!%p1 bra A; A:"),
        ("mov.b32 %r1, {%r2, %r3};", "mov.b32 %r1, {%r2, %r2};"),
        ("add.s32 %r1, %r2, %r2;", "add.s32 %r1, %r2, %r3;"),
        ('.pragma "nounroll";', '.pragma "used_bytes_mask 1";'),
        ("mov.u32 %r1, (-1 < 0);", "mov.u32 %r1, (-1 < 0U);"),
        ("mov.u64 %rd1, (-8 / 2);", "mov.u64 %rd1, (-8 / 2U);"),
    ],
)
def test_one_changed_statement(old: str, new: str) -> None:
    assert [line[:1] for line in check_bodies(old, new) if line[:9] != "registers"] == ["-", "+"]


def test_swapped_operands() -> None:
    code = "mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; sub.s32 %r1, %r2, %r3;"
    swapped = code.replace("%r2, %r3", "%r3, %r2")
    assert check_bodies(code, swapped) == [
        "- sub.s32 %r1, %r2, %r3;",
        "+ sub.s32 %r1, %r3, %r2;",
    ]


def test_names_are_those_of_the_new_function() -> None:
    old = "mov.u32 %r1, %tid.x; add.s32 %r2, %r1, 1; st.shared.u32 [tile], %r2;"
    new = "mov.u32 %r7, %tid.x; add.s32 %r8, %r7, 2; st.shared.u32 [tile], %r8;"
    assert check_bodies(old, new) == ["- add.s32 %r8, %r7, 1;", "+ add.s32 %r8, %r7, 2;"]


def test_a_register_without_counterpart_has_a_mark() -> None:
    old = "mov.u32 %r1, 5; mov.u32 %r2, %tid.x; st.shared.u32 [tile], %r2;"
    new = "mov.u32 %r1, %tid.x; st.shared.u32 [tile], %r1;"
    assert check_bodies(old, new) == ["registers .b32: 2 -> 1", "- mov.u32 %r1', 5;"]


def test_the_order_of_functions_and_declarations_does_not_count() -> None:
    parts = [".global .u32 a;", ".global .u32 b;", ".func f() { ret; }", ".entry k() { call f; }"]
    before = HEADER + "\n".join(parts)
    after = HEADER + "\n".join([".func f();", *reversed(parts)])
    assert check_compare(before, after) == []


def test_blocks_in_another_order_have_moved() -> None:
    first = "A: add.s32 %r1, %r1, 1; st.shared.u32 [tile], %r1; bra.uni C;"
    second = "B: sub.s32 %r2, %r2, 1; st.shared.u32 [tile+4], %r2; bra.uni C;"
    start, end = "@%p1 bra A; bra.uni B;", "C:"
    lines = check_bodies(f"{start} {first} {second} {end}", f"{start} {second} {first} {end}")
    assert lines
    assert all(line.startswith("moved") for line in lines)


def test_a_changed_type_of_registers() -> None:
    code = "mov.b32 %r1, 5; st.shared.b32 [tile], %r1;"
    changed = body(code).replace(".reg .b32 %r<9>", ".reg .f32 %r<9>")
    assert check_compare(body(code), changed) == [
        "registers .b32: 1 -> none",
        "registers .f32: none -> 1",
        "%r1: .reg .b32 -> .reg .f32",
    ]


def test_a_remainder_is_not_a_register() -> None:
    old = body("mov.u32 %r1, 7 % 4; mov.u32 %r2, %r1;")
    assert check_compare(old, old.replace("7 % 4", "7  % 4")) == []
    assert check_compare(old, old.replace("7 % 4", "7 % 5")) != []


def test_bodies_and_blocks_on_one_line() -> None:
    code = "{ .reg .b32 t; mov.b32 t, 1; } bar.sync 0; } .global .u32 after;"
    old = f"{HEADER}.entry k() {{ {code}"
    assert check_compare(old, old.replace("bar.sync 0", "bar.sync 1")) == [
        "- bar.sync 0;",
        "+ bar.sync 1;",
    ]
    assert check_compare(old, old.replace(".u32 after", ".u64 after")) == [
        "after: .global .u32 after -> .global .u64 after"
    ]
    broken = old.replace("} bar", "\n} bar").replace(".entry", "\n.entry")
    assert check_compare(old, broken) == []


def test_heads() -> None:
    old = HEADER + ".visible .entry k(.param .u64 p, .param .u32 n) .maxntid 128, 1, 1 { ret; }"
    new = HEADER + ".entry k(.param .u64 .ptr .align 8 p) .maxntid 256 .minnctapersm 2 { ret; }"
    assert check_compare(old, new) == [
        "linkage: .visible .entry -> .entry",
        "parameter 0: .param .u64 -> .param .u64 .ptr .align 8",
        "parameter 1: .param .u32 -> none",
        ".maxntid: 128 -> 256",
        ".minnctapersm: none -> 2",
    ]


def test_numbers_in_heads_are_spelled_in_any_way() -> None:
    old = HEADER + ".entry k(.param .align 8 .b8 p[16]) .maxntid 32, 1, 2 { ret; }"
    new = HEADER + ".entry k(.param .align 0x8 .b8 q[0x10]) .maxntid 0x20, 01, 2 { ret; }"
    assert check_compare(old, new) == []


def test_a_repeated_line_of_the_header() -> None:
    old = HEADER + ".entry k() { ret; }\n"
    assert check_compare(old, old + ".version 7.0\n") == ["statement: none -> .version 7.0"]


def test_a_renamed_function() -> None:
    code = "add.s32 %r1, %r2, 1; mul.lo.s32 %r3, %r1, %r1; st.shared.u32 [tile], %r3; bar.sync 0;"
    old = body(code)
    assert check_compare(old, old.replace(" k(", " other(")) == ["name: k -> other"]
    mangled = old.replace(" k(", " _Z5scalePii(")
    assert check_compare(mangled, mangled.replace("_Z5scalePii", "_Z5scalePjj")) == [
        "name: _Z5scalePii -> _Z5scalePjj"
    ]


def test_calls_of_renamed_functions_are_the_same() -> None:
    called = ".func _Z3fooPi() { add.s32 a, b, 1; ret; }\n"
    old = HEADER + called + ".entry k() { call _Z3fooPi, (); ret; }"
    new = old.replace("_Z3fooPi", "_Z3fooPj")
    assert check_compare(old, new) == ["name: _Z3fooPi -> _Z3fooPj"]


def test_numbered_strings_match_by_their_contents() -> None:
    code = ".entry k() { .reg .b64 a; mov.u64 a, $str; mov.u64 a, $str$1; ret; }"
    one, two = ".global .b8 {}[2] = {{65, 0}};\n", ".global .b8 {}[2] = {{66, 0}};\n"
    old = HEADER + one.format("$str") + two.format("$str$1") + code
    new = HEADER + two.format("$str") + one.format("$str$1")
    assert check_compare(old, new + code) != []
    swapped = code.replace("$str$1", "x").replace("$str", "$str$1").replace("x", "$str")
    assert check_compare(old, new + swapped) == []


def test_declarations_of_the_module() -> None:
    old = HEADER + ".global .u32 a, b;\n.const .b8 c[2] = {1, 2};\n.extern .func f();\n"
    new = HEADER + ".global .u32 b;\n.const .b8 c[2] = {1, 3};\n.global .u32 a;\n.func f();\n"
    assert check_compare(old, new) == [
        "c: .const .b8 c[2]={1, 2} -> .const .b8 c[2]={1, 3}",
        "f: .extern .func f() -> .func f()",
    ]


def test_names_of_parameters_in_declarations_do_not_count() -> None:
    old = HEADER + ".extern .func (.param .b32 r) f(.param .b32 a, .param .b8 b[4]);\n"
    new = HEADER + ".extern .func (.param .b32 f) f(.param .b32 b, .param .b8 a[4]);\n"
    assert check_compare(old, new) == []
    first = ".extern .func(.param .b32 param_0) f(.param .b32 param_1, .param .b"
    assert check_compare(old, new.replace("b8", "b16")) == [
        f"f: {first}8 param_2[4]) -> {first}16 param_2[4])"
    ]


def test_an_error_in_a_declaration_of_a_defined_function() -> None:
    old = HEADER + ".func f(.param .b32 a);\n.func f(.param .b32 a) { ret; }\n"
    broken = old.replace("(.param .b32 a);", "(.param 4 a);")
    assert check_compare(old, old.replace(".func f(.param .b32 a);", "")) == []
    assert check_compare(old, broken) == ["statement: none -> .func f(.param 4 a);"]


def test_debug_data_does_not_count() -> None:
    code = ".loc 1 5 3\n$L__tmp0:\nadd.s32 %r1, %r1, 1;\n"
    debug = '.file 1 "k.cu"\n.section .debug_str\n{\n.b8 107\n.b8 0\n}\n'
    assert check_compare(body(code) + debug, body("add.s32 %r1, %r1, 1;")) == []
