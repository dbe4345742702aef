"""Hovers on the token under the cursor."""

from __future__ import annotations

from base64 import b64decode
from xml.etree import ElementTree as ET

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.hover import describe_directive
from ptx_ls.features.hover.hover import hover, picture
from ptx_ls.isa import database
from ptx_ls.lint import lint
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Range
from tests.support.fixture import parse_fixture

KERNEL = """\
.version 8.5
.target sm_90
.address_size 64

.extern .func (.param .b32 result) power(.param .b32 base, .param .align 8 .b8 more[12]);
.global .align 8 .b8 table[64];
.shared .v4 .f32 tile[16];

.visible .entry scale(
    .param .u64 .ptr .global data,
    .param .u32 count,
    .param .u64 out
)
    .maxntid 256
{
    .reg .pred %p<4>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<5>;
    .reg .f32 %f<5>;
    .reg .v2 .b32 pair;
    BODY
    ret;
}
"""


def check_hover(marked: str, *expected: str | None, whole: bool = False) -> str:
    """Markdown at the cursor, which must contain all `expected`; None expects no hover.

    `marked` is in the body of a kernel, or is the text itself if `whole`.
    """
    fixture = parse_fixture(marked if whole else KERNEL.replace("BODY", marked))
    document = Document.read(fixture.text)
    found = hover(Analysis(document), fixture.cursor)
    if expected == (None,):
        assert found is None
        return ""
    assert found is not None
    assert found.range.start <= fixture.cursor <= found.range.end
    assert "\n\n\n" not in found.markdown
    for part in expected:
        assert str(part) in found.markdown, found.markdown
    return found.markdown


def text_under(marked: str) -> str:
    """The text that the hover is about."""
    fixture = parse_fixture(KERNEL.replace("BODY", marked))
    document = Document.read(fixture.text)
    found = hover(Analysis(document), fixture.cursor)
    assert found is not None
    place: Range = found.range
    return document.lines[place.start.line][place.start.column : place.end.column]


def test_opcode_begins_with_what_it_does() -> None:
    shown = check_hover(
        "a<|>dd.sat.s32 %r1, %r2, 5;",
        "**`add.sat.s32`**: Adds two `.s32` values; clamps the result.",
    )
    assert shown.startswith("```c\n%r1 = ")


def test_modifier_shows_the_form_in_use() -> None:
    shown = check_hover("add.s<|>at.s32 %r1, %r2, 5;", "```ptx\nadd.sat.s32 d, a, b;")
    assert ".cc" not in shown


def test_opcode_links_its_page_and_the_manual() -> None:
    check_hover(
        "a<|>dd.sat.s32 %r1, %r2, 5;",
        "[More about `add`](https://ptx-ls.readthedocs.io/isa/add) · [PTX ISA](",
    )


def test_opcode_speaks_of_what_was_chosen_in_this_variant() -> None:
    text = "shf<|>l.sync.bfly.b32 %r1, %r2, 16, 31, -1;"
    said = "Reads the value of the lane whose number is this lane's number XOR 16."
    shown = check_hover(text, said, "CUDA C++: `__shfl_xor_sync`.")
    assert "`.bfly`" not in shown
    assert "`.b32`" not in shown
    assert "`.sync`" not in shown
    shown = check_hover(
        "l<|>d.acquire.gpu.global.u32 %r1, [%rd1];", "acquire order at `.gpu` scope"
    )
    assert "- `.gpu`" not in shown


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        (
            "<|>shfl.sync.bfly.b32 %r1, %r2, 16, 31, -1;",
            "wait for all 32 lanes;\n%r1 = %r2 of lane (lane ^ 16);",
        ),
        ("<|>shfl.sync.idx.b32 %r1, %r2, 0, 31, 1;", "wait for lane 0;\n%r1 = %r2 of lane 0;"),
        (
            "<|>shfl.sync.idx.b32 %r1, %r2, %r3, 31, 6;",
            "wait for lanes 1-2;\n%r1 = %r2 of lane %r3[4:0];",
        ),
        ("<|>add.f32 %f1, %f2, 0f3FC00000;", "%f1 = %f2 + 1.5;"),
        (
            ".reg .b32 lane;\n<|>setp.le.u32 %p1, lane, 31;",
            "%p1 = lane <= 31;",
        ),
        (
            ".reg .b32 j;\n<|>shfl.sync.bfly.b32 %r1, j, 16, 31, -1;",
            "j = lane ^ 16;\n%r1 = j of lane j;",  # ambiguous, but no register is replaced
        ),
    ],
)
def test_constants_are_folded(statement: str, code: str) -> None:
    check_hover(statement, f"{code}\n```")


def test_long_vectors_are_ranges() -> None:
    names = ", ".join(f"%t{number}" for number in range(16))
    head = ".version 8.8\n.target sm_100a\n.entry k() {\n.reg .b32 %t<16>;\n.reg .b32 a;\n"
    load = f"<|>tcgen05.ld.sync.aligned.32x32b.x16.b32 {{{names}}}, [a];\nret;\n}}"
    check_hover(head + load, "{%t0 … %t15} = Tensor Memory at a;", whole=True)
    other = load.replace("%t1,", "%t2,").replace("%t15}", "%t3}")
    check_hover(head + other, "{%t0, %t2, …, %t3: 16 registers} =", whole=True)


def test_long_names_are_shortened() -> None:
    kernel = "_ZN3cub6detail6reduce28DeviceReduceSingleTileKernelINS2_21policy_selector_tEEEvT0_"
    head = f".version 8.8\n.target sm_100a\n.entry {kernel}(.param .u32 {kernel}_param_0) {{\n"
    text = f"{head}.reg .b32 a;\nl<|>d.param.u32 a, [{kernel}_param_0];\nret;\n}}"
    check_hover(text, "a = _ZN3cub6detail6reduce28D…elector_tEEEvT0__param_0;", whole=True)
    check_hover(text, "`_ZN3cub6detail6reduce28D…elector_tEEEvT0__param_0` is the only", whole=True)
    check_hover(text, "of kernel `_ZN3cub6detail6reduce28D…policy_selector_tEEEvT0_`", whole=True)


def test_pitfalls_of_what_is_there() -> None:
    assert "⚠" not in check_hover("a<|>dd.f32 %f1, %f2, %f3;", "Adds")
    check_hover("a<|>ddc.u32 %r1, %r2, %r3;", "⚠ Without an earlier `.cc`,")
    check_hover("b<|>ra.uni L;", "⚠ `.uni` on a divergent branch")


@pytest.mark.parametrize(
    "statement",
    [
        *(
            "b<|>ra L;",
            "m<|>ov.u32 %r1, %r2;",
            "n<|>ot.pred %p1, %p2;",
            "x<|>or.b32 %r1, %r2, %r3;",
        ),
        *("m<|>in.u32 %r1, %r2, %r3;", "l<|>d.param.u32 %r1, [count];", "r<|>et;"),
        *("l<|>d.global.u32 %r1, [%rd1];", "s<|>t.global.u32 [%rd1], %r1;"),
    ],
)
def test_notes_on_all_variants_are_left_to_the_page(statement: str) -> None:
    assert "⚠" not in check_hover(statement, "[More about")


@pytest.mark.parametrize(
    ("marked", "role"),
    [
        ("atom.add.u32 %r<|>1, [%rd1], 1;", "Operand `d` of `atom`. Receives the old value"),
        ("selp.f32 %f1, %f<|>1, %f2, %p1;", "Operand `a` of `selp`. Value if `c` is true."),
        ("selp.f32 %f1, %f1, <|>0f3F800000, %p1;", "Operand `b` of `selp`. Value if `c` is false."),
        ("setp.lt.f32 %p1|%p<|>2, %f1, %f2;", "Operand `q` of `setp`. "),
        ("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f<|>1, %f2}];", "Operand `c` of `tex`"),
        ("red.global.add.u32 [%rd<|>1+8], %r1;", "Operand `a` of `red`. Address"),
        ("@!%p1 selp.f32 %f1, %f1, %f<|>2, %p1;", "Operand `b` of `selp`. Value if"),
        ("@%p1 /* a, b */ shf.l.wrap.b32 %r1, %r<|>2, 1, 2;", "Operand `a` of `shf`. Low 32 bits"),
        ("ret; shf.l.wrap.b32 %r1, (1 + 2), %r<|>2, 1;", "Operand `b` of `shf`. High 32 bits"),
    ],
)
def test_operand_says_what_it_is_for(marked: str, role: str) -> None:
    check_hover(marked, role)


def test_an_operand_whose_text_says_only_its_place() -> None:
    for marked in (
        "or.b32 %r<|>1, %r2, 3;",
        "or.b32 %r1, %r<|>2, 3;",
        "and.b32 %r1, %r2, <|>3;",
        "setp.lt.f32 %p<|>1, %f1, %f2;",
        "setp.lt.f32 %p1, %f<|>1, %f2;",
        "mov.u32 %r1, %r<|>2;",
        "st.global.f32 [%rd<|>1+8], %f1;",
        "add.s32 %r1, %r<|>2, 1;",
    ):
        assert "Operand" not in check_hover(marked, "")


def test_a_guard_is_no_operand() -> None:
    for guard in ("@%p<|>1", "@!%p<|>1"):
        assert "Operand" not in check_hover(
            f"{guard} add.s32 %r1, %r2, 1;", "`%p1`: predicate register"
        )


def test_slots_of_equal_modifiers_are_told_apart() -> None:
    mma = (
        "mma.sync.aligned.m16n8k8.row.col{} {{%f1, %f2, %f3, %f4}}, {{%r1, %r2}}, {{%r3}}, "
        "{{%f1, %f2, %f3, %f4}};"
    )
    for types, matrix in (
        (".f<|>32.f16.f16.f32", "D"),
        (".f32.f<|>16.f16.f32", "A"),
        (".f32.f16.f<|>16.f32", "B"),
    ):
        check_hover(mma.format(types), f"Type of the elements of {matrix} (")
    check_hover("<|>" + mma.format(".f32.f16.f16.f32"), "A is 16x8, B is 8x8, C and D are 16x8")


def test_opcode_names_the_parameter_that_is_read() -> None:
    check_hover(
        "<|>ld.param.u64 %rd1, [out];",
        "`out` is parameter 3 of 3 in kernel `scale`, at byte 16.",
    )


def test_call_shows_the_signature() -> None:
    check_hover(
        "{ .param .b32 a; .param .b8 b[12]; .param .b32 r;\n<|>call (r), power, (a, b); }",
        "power(.param .b32 base, .param .align 8 .b8 more[12])",
    )


def test_opcode_that_the_module_cannot_use() -> None:
    check_hover("<|>tcgen05.wait::ld.sync.aligned;", "⚠ Needs")


def test_unknown_opcode_has_no_hover() -> None:
    check_hover("fro<|>b.u32 %r1, %r2;", None)


def test_broken_instruction_is_explained_as_far_as_it_goes() -> None:
    check_hover("a<|>dd.u32 %r1, %r2", "Adds")
    check_hover("a<|>dd.u32 %r1, , ;", "Adds")


def test_register_of_an_unfinished_declaration() -> None:
    check_hover(
        ".reg .b16 <|>%h<4>\nmov.u32 %r1, 1;",
        "`%h`: registers, each of 16 untyped bits, declared by",
    )
    check_hover(".reg .wrong %h;\nmov.u32 %r1, <|>%h;", "`%h`: register, declared by")


def test_guard_is_not_the_opcode() -> None:
    check_hover("@%p<|>1 add.u32 %r1, %r2, 3;", "`%p1`: predicate register")
    check_hover("@!%p1 ad<|>d.u32 %r1, %r2, 3;", "Adds")


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("add<|>.sat.s32 %r1, %r2, 5;", "instead of wrapping"),
        ("add.sat<|>.s32 %r1, %r2, 5;", "32-bit signed integer"),
        ("add.sat.s3<|>2 %r1, %r2, 5;", "32-bit signed integer"),
        ("fma<|>.rn.f32 %f1, %f1, %f2, %f3;", "Rounds to the nearest"),
        ("atom.global<|>.gpu.add.u32 %r1, [%rd1], 1;", "Alternatives: `.cta` `.cluster`"),
        (
            "ld.global<|>.L1::no_allocate.u32 %r1, [%rd1];",
            "Does not allocate a line in the L1 cache",
        ),
        ("cvt<|>.rn.f32.s32 %f1, %r1;", "Modifier of `cvt` (`.frnd`). Alternatives: `.rz`"),
        ("cvt<|>.rn.f32.s32 %f1, %r1;", "**`.rn`**: Rounds to the nearest value"),
        ("ld.global<|>.v2.f64 {%fd1, %fd2}, [%rd1];", "**`.v2`**: Two elements: 16 bytes."),
        ("l<|>d.global.v2.f64 {%fd1, %fd2}, [%rd1];", "must be a multiple of 16."),
        ("s<|>t.global.v2.b8 [%rd1], {%rs1, %rs2};", "must be a multiple of 2."),
        ("c<|>p.async.ca.shared.global [%r1], [%rd1], 8;", "must be multiples of 8."),
        ("c<|>p.async.ca.shared.global [%r1], [%rd1], 8, %r2;", "multiples of the number of"),
    ],
)
def test_modifier(marked: str, expected: str) -> None:
    check_hover(marked, expected)


@pytest.mark.parametrize(
    "statement",
    [
        "cp.as<|>ync.wait_group 1;",
        "cp.async.wait_<|>group 1;",
        "cp.async.bu<|>lk.wait_group 1;",
        "cp.async.commit<|>_group;",
        "wgmma.wait_gr<|>oup.sync.aligned 0;",
    ],
)
def test_part_of_the_name_is_explained_as_the_opcode(statement: str) -> None:
    assert check_hover(statement) == check_hover("<|>" + statement.replace("<|>", ""))


def test_modifier_is_hovered_alone() -> None:
    assert text_under("ld.global.v<|>2.u32 {%r1, %r2}, [%rd1];") == ".v2"
    assert text_under("@%p1 ld.glo<|>bal.u32 %r1, [%rd1];") == ".global"


def test_what_the_module_cannot_use_says_what_it_needs() -> None:
    check_hover("ad<|>d.rn.f32x2 %rd1, %rd2, %rd3;", "⚠ Needs", "sm_100")


def test_register_of_a_range() -> None:
    check_hover(
        "mov.u32 %r2, %ntid.x;\nadd.u32 %r1, %r<|>2, 3;",
        "`%r2`: register, 32 untyped bits, one of 10, declared by",
        ".reg .b32 %r<10>;",
        "Written once, read once in this function",
        "Value from:",
        "mov.u32 %r2, %ntid.x;  // line 21",
        "This value is live on lines 21-22",
    )


def test_lines_without_an_instruction_do_not_divide_a_live_range() -> None:
    check_hover(
        "mov.u32 %r<|>2, 1;\n@%p1 bra L;\n\nbra.uni M;\n// rest\n\nL:\n\n.loc 1 2 3\n"
        "add.u32 %r1, %r2, 1;\n\nM:\nst.global.u32 [%rd1], %r2;",
        "This value is live on lines 21-33",
    )
    check_hover(
        "mov.u32 %r<|>2, 1;\n@%p1 bra L;\nmov.u32 %r1, 1;\nret;\n\nL:\nst.global.u32 [%rd1], %r2;",
        "This value is live on lines 21-22 and 26-27",
    )


def test_value_is_of_the_nearest_one_that_writes() -> None:
    text = check_hover(
        "mov.u32 %r2, 1;\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd1], %r2;\n"
        "// mov.u32 %r2, 7;\nadd.u32 %r1, %r<|>2, 3;",
        "Written twice, read 3 times in this function",
        "add.u32 %r2, %r2, 1;  // line 22",
    )
    assert "mov.u32" not in text


def test_value_of_several_ways() -> None:
    check_hover(
        "mov.u32 %r2, 1;\n@%p1 bra L;\nmov.u32 %r2, 5;\nL:\nadd.u32 %r1, %r<|>2, 3;",
        "Value from one of:",
        "mov.u32 %r2, 1;  // line 21\nmov.u32 %r2, 5;  // line 23",
    )


def test_value_of_nowhere() -> None:
    check_hover(
        "add.u32 %r1, %r<|>2, 3;", "Never written, read once", "No definition reaches this point"
    )


def test_a_pair_and_a_vector_write_their_parts() -> None:
    check_hover("shfl.sync.idx.b32 %r1|%p2, %r2, 0, 31, -1;\n@%p<|>2 ret;", "%r1|%p2")
    check_hover("mov.b64 {%r3, %r4}, %rd1;\nadd.u32 %r1, %r<|>4, 3;", "{%r3, %r4}")


def test_a_register_that_is_never_read() -> None:
    text = check_hover("add.u32 %r<|>1, %r2, 3;", "Written once, never read in this function")
    assert "live" not in text
    assert "the value written here" not in text


def test_declaration_of_a_range() -> None:
    check_hover(".reg .b16 %h<|><7>;", "`%h0` to `%h6`")


def test_register_that_the_range_does_not_have() -> None:
    check_hover("add.u32 %r<|>10, %r2, 3;", None)


def test_decimals_are_shown_as_what_they_become() -> None:
    one = check_hover("mul.f32 %f1, %f2, 0.<|>1;", "- As `.f32`: `0f3DCCCCCD`, which is `0.1`")
    assert ".f64" not in one
    check_hover("mul.f64 %fd1, %fd2, 0.<|>1;", "As `.f64`: `0d3FB999999999999A`")
    check_hover(
        ".const .f32 c[2] = {-<|>1e40, 2.5};", "As `.f32`: `0fFF800000`, which is `-infinity`"
    )
    check_hover(".const .f32 c[2] = {-1e40, <|>2.5};", "- As `.f32`: `0f40200000`")
    check_hover(".global .b8 c[2] = {<|>104, 0};", "- As a character: `h`")


def test_special_register_with_its_component() -> None:
    check_hover("mov.u32 %r1, %ti<|>d.x;", "`%tid.x`: special register, `.u32`", "threadIdx.x")
    check_hover("mov.u32 %r1, %tid<|>.y;", "`%tid.y`", "threadIdx.y")
    assert "threadIdx" not in check_hover("mov.u32 %r1, %tid<|>.w;")
    assert "threadIdx" not in check_hover("m<|>ov.u32 %r1, %tid.w;")
    check_hover("m<|>ov.u32 %r1, %tid.b;", "threadIdx.z")
    check_hover("mov.u32 %r1, %envre<|>g3;", "`%envreg3`")
    check_hover("mov.u32 %r1, %cloc<|>k;", "May differ from one read to the next")


def test_own_register_hides_a_special_one() -> None:
    check_hover(".reg .b32 %laneid;\nmov.u32 %r1, %lane<|>id;", ".reg .b32 %laneid;")


def test_component_of_a_vector() -> None:
    check_hover("mov.b32 %r1, pair.<|>y;", "`pair.y`: second element of `pair`, `.b32`")
    check_hover("mov.b32 %r1, nothing.<|>y;", "second element of a vector")


def test_label_shows_uses_and_what_follows() -> None:
    check_hover(
        "@%p1 bra DO<|>NE;\nadd.u32 %r1, %r2, 3;\nDONE:\nst.global.u32 [%rd1], %r1;",
        "`DONE`: label on line 23",
        "Used on line 21",
        "st.global.u32",
    )
    check_hover("LO<|>NELY: add.u32 %r1, %r2, 3;", "Not used in this function")


def test_variable_and_parameter() -> None:
    check_hover("mov.u64 %rd1, tab<|>le;", "variable", "64 bytes", "aligned to 8", "Global memory")
    check_hover("mov.u64 %rd1, ti<|>le;", "256 bytes", "aligned to 16", "Shared memory")
    check_hover("ld.param.u32 %r1, [cou<|>nt];", "parameter 2 of 3 in kernel `scale`, at byte 8")


def test_functions() -> None:
    check_hover(
        "call (%r1), pow<|>er, (%r2, %r3);",
        "device function",
        "2 parameters with 20 bytes in all",
        "elsewhere",
    )
    check_hover(
        KERNEL.replace("entry scale", "entry sca<|>le"), "kernel", "3 parameters", whole=True
    )


def test_callers_of_a_function() -> None:
    text = """.version 8.5
.target sm_90
.func callee(.param .b32 x) { ret; }
.func a() { call callee, (1); callee: bra callee; }
.entry b()
{
    call.uni
    callee,
    (2); // callee
    call callee, (3);
}
.func lonely() { ret; }
.func (.param .b32 r) often() { BODY ret; }
"""
    told = "Called by `a` on line 4; `b` on lines 7 and 10"
    for there in (".func <|>callee", "call <|>callee, (3)"):
        check_hover(text.replace(there.replace("<|>", ""), there, 1), f"{told}", whole=True)
    check_hover(text.replace("lonely", "<|>lonely"), "Never called by name", whole=True)
    many = text.replace("BODY", "call callee, (4); " * 9)
    many = many.replace(".func callee", ".func <|>callee")
    check_hover(many, f"{told}; `often` on line 13", whole=True)


FUNCTIONS = """.version 8.5
.target sm_90
.func (.param .b32 r) twice(.param .b32 x);
.global .u64 table[] = { twice, 0 };
.func (.param .b32 r) double(.param .b32 x);
.func (.param .b32 r) twice(.param .b32 x) { ret; }
.alias double, twice;
.func lonely(.reg .f32 a) { ret; }
.func (.reg .f32 s, .reg .f32 c) both(.reg .f32 x)
{
neg.f32 s, x;
neg.f32 c, s;
ret;
}
.func _Z3addf(.param .b32 _Z3addf_param_0);
.func (.param .b32 r) _Z4blurRK4PairILi2EES2_(
    .param .b64 _Z4blurRK4PairILi2EES2__param_0, // first
    .param .b64 _Z4blurRK4PairILi2EES2__param_1
)
{ ret; }
.entry k() .maxntid 32
{
.reg .b64 %rd1;
.reg .b32 %r1;
mov.u64 %rd1, twice;
p: .callprototype _ (.param .b32 _);
T: .branchtargets A, B;
brx.idx %r1, T;
A: bra B;
B: ret;
}
"""


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (
            "<|>twice(.param .b32 x) {",
            ("Also called `double`", "Its address is taken on lines 4 and 25"),
        ),
        ("<|>double(", ("Another name of `twice`",)),
        ("<|>lonely", ("Never called by name",)),
        ("neg.f32 <|>s", ("result 1 of 2 in", "Written once, read once")),
        ("neg.f32 <|>c", ("result 2 of 2 in", "Written once, returned to the caller")),
        ("s, <|>x", ("Passed by the caller, read once",)),
        ("_param_1<|>", ("parameter 2 of 2", "`Pair<2> const&`, a parameter of `blur(")),
        (
            "<|>_Z4blurRK4PairILi2EES2_(",
            (
                "EES2_(\n    .param .b64 _Z4blurRK4PairILi2EES2__param_0,\n    .param",
                "EES2__param_1\n)\n```",
            ),
        ),
        ("<|>_Z3addf_param_0", ("In the source: `float`, a parameter of `add(float)`",)),
        ("tab<|>le", ("16 bytes, aligned to 8",)),
        ("p<|>:", ("Never used",)),
        ("T<|>:", ("Used on line 28",)),
        ("A<|>:", ("label on line 29", "In the target list `T`, used on line 28", "B: ret;\n```")),
        ("bra <|>B", ("Used on line 29; in the target list `T`, used on line 28",)),
    ],
)
def test_who_names_it(place: str, expected: tuple[str, ...]) -> None:
    here = place.replace("<|>", "")
    assert FUNCTIONS.count(here) == 1
    check_hover(FUNCTIONS.replace(here, place), *expected, whole=True)


def test_sizes_and_pointers() -> None:
    shown = check_hover(
        "ld.param.u64 %rd1, [da<|>ta];", "aligned to 8 bytes, points to `.global` memory"
    )
    assert "Parameters of kernels" not in shown
    for declaration, expected in (
        (
            ".entry k(.param .u64 .ptr .shared .align 16 <|>p) { ret; }",
            "8 bytes, points to `.shared` memory aligned to 16 bytes",
        ),
        (
            ".entry k(.param .align 8 .u64 .ptr <|>p) { ret; }",
            "aligned to 8 bytes, a generic pointer",
        ),
        (".global .texref <|>t;", "8 bytes, aligned to 8"),
        (".global .b8 <|>t[1];", "1 byte, "),
        (".global .s32 <|>t[][2] = {{1, 2}, {3, 4}};", "16 bytes"),
    ):
        check_hover(declaration, expected, whole=True)


def test_result_and_parameter_of_a_function() -> None:
    text = (
        ".version 8.5\n.target sm_90\n.func (.param .b32 res) f(.param .b32 x)\n{{\n{}\nret;\n}}\n"
    )
    check_hover(
        text.format("st.param.b32 [r<|>es], 1;"), "the result of device function `f`", whole=True
    )
    check_hover(text.format("ld.param.b32 %r1, [<|>x];"), "the only parameter", whole=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<|>.version 8.5", "The PTX ISA version"),
        (".version 8<|>.5", "PTX ISA 8.5, introduced by CUDA"),
        (".version 8.5\n.target sm_9<|>0a", "Hopper"),
        (".version 8.5\n.target sm_90, texmode_<|>independent", "texmode_independent"),
        (".version 8.5\n.target sm_90\n.address<|>_size 64", "Width of addresses"),
        (".entry k() .max<|>ntid 32 { ret; }", "threads per block"),
        (".<|>visible .entry k() { ret; }", "Other modules"),
        ('.entry k() { .pragma "nounr<|>oll"; ret; }', "unrolling"),
        ('.entry k()\n.pragma "enable_smem_spilling",\n "nounr<|>oll"; { ret; }', "unrolling"),
        (".entry k() { .reg .b<|>32 %r; ret; }", "32 untyped bits"),
        (".glo<|>bal .u32 x;", "Global memory"),
        (".entry k(.param .u64 .p<|>tr .global a) { ret; }", "pointer"),
        ('.file 1 "a.cu"\n.entry k() { .loc 1 7<|> 3\nret; }', "`a.cu`, line 7, column 3"),
        (".global .attribute(.mana<|>ged) .u32 x;", "Unified memory"),
    ],
)
def test_directives_types_and_module(text: str, expected: str) -> None:
    check_hover(text, expected, whole=True)


@pytest.mark.parametrize("name", sorted({*database().directives, *database().state_spaces}))
def test_directives_are_explained_in_a_few_lines(name: str) -> None:
    shown = describe_directive.dotted(name)
    assert shown is not None
    assert shown.startswith(f"`{name}`: ")
    is_in_manual = name not in (".hidden", ".local_maxnreg")
    assert ("[PTX ISA](" in shown.split("\n\n")[-1]) is is_in_manual
    assert shown.count("\n") < 20
    assert len(shown) < 1000
    assert "Example" not in shown


@pytest.mark.parametrize(
    ("literal", "expected"),
    [
        ("0f3F80<|>0000", "`1.0`"),
        ("0fBFC9<|>0FDA", "`-1.5707963`"),
        ("0f7F80<|>0000", "`infinity`"),
        ("0f0000<|>0001", "subnormal"),
    ],
)
def test_float_literals(literal: str, expected: str) -> None:
    check_hover(f"mov.f32 %f1, {literal};", expected)


def test_integer_literals() -> None:
    check_hover("mov.b32 %r1, 0xFFFF<|>FFFE;", "= `4294967294` = `0b1111", "As `.s32`: `-2`")
    check_hover("mov.b32 %r1, 017<|>;", "`017` = `15` = `0xF` = `0b1111`")
    check_hover("mov.b64 %rd1, 0d3FF00000000<|>00000;", "`1.0`")
    shown = check_hover("mov.b32 %r1, 2<|>;", "`2` = `0x2` = `0b10`")
    assert "\n\n" not in shown


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("add.s32 %r1, %r2, -<|>1;", "`-1` = `0xFFFFFFFF` = `0b1111"),
        ("add.s32 %r1, %r2, <|>-1;", "in 32 bits"),
        ("add.s64 %rd1, %rd2, -8<|>;", "`-8` = `0xFFFFFFFFFFFFFFF8`"),
        ("and.b32 %r1, %r2, -8388<|>608;", "As the bits of an `.f32`: `-infinity`"),
        ("ld.u32 %r1, [%rd1+-<|>4];", "`-4` = `0xFFFFFFFC`"),
        ("bar.warp.sync <|>-1;", "All 32 lanes."),
        ("mov.b32 %r1, /* least */ -7<|>;", "`-7` = `0xFFFFFFF9`"),
        ("ret; @%p1 bar.warp.sync -<|>1;", "All 32 lanes."),
    ],
)
def test_a_sign_belongs_to_its_number(marked: str, expected: str) -> None:
    check_hover(marked, expected)
    assert text_under(marked).startswith("-")


def test_literals_of_any_length() -> None:
    for digits in ("9" * 6000, "0x" + "F" * 6000, "-" + "1" * 6000):
        check_hover(f"<|>shl.b32 %r1, %r2, {digits};", "%r2 <<")
        check_hover(f"<|>bfe.u32 %r1, %r2, {digits}, {digits};", "bit field")
        check_hover(f"<|>lop3.b32 %r1, %r2, %r3, %r4, {digits};", "a bitwise function")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0xF<|>F(x)", "`0xFF`: byte 0 of the address of `x`"),
        ("0xFF00<|>000000(x)", "`0xFF00000000`: byte 4 of the address of `x`"),
        ("0xFF00000000000000<|>( generic(x))", "byte 7 of the address of `x`"),
        ("0xFFF<|>(x)", "`0xFFF` = `4095`"),
        ("0xFFF<|>FFFFFFFFF", "281474976710655"),
        ("06<|>5", "As a character: `5`"),
        ("-1<|>", "in 8 bits"),
        ("<|>099", None),
    ],
)
def test_values_of_bytes(value: str, expected: str | None) -> None:
    check_hover(f".global .b8 x[4];\n.global .b8 a[8] = {{1, {value}, 2}};", expected, whole=True)


@pytest.mark.parametrize("mask", ["~0", "0x7fffffff + 0x80000000", "037777777777", "-1"])
def test_constants_are_computed(mask: str) -> None:
    text = f"vote.sync.ballot.b32 %r1, %p1, {mask}<|>;"
    check_hover(text, "All 32 lanes.")


def test_a_difference_is_no_sign() -> None:
    assert text_under("add.s32 %r1, %r2, 7 -<|>4;") == "4"
    assert text_under("add.s32 %r1, %r2, 7 - -<|>4;") == "-4"
    assert text_under("add.s32 %r1, %r2, (7)-<|>4;") == "4"


def test_numbers_that_declare() -> None:
    text = KERNEL.replace("%r<10>", "%r<1<|>0>")
    check_hover(
        text, "`%r`: registers, each of 32 untyped bits, declared by", "`%r0` to `%r9`", whole=True
    )
    check_hover(KERNEL.replace("size 64", "size 6<|>4"), "Width of addresses", whole=True)


def test_bytes_that_are_text() -> None:
    text = ".global .align 1 .b8 mess<|>age[4] = {{72, 0x69, 10, {}}};\n"
    check_hover(text.format(0), 'Text: `"Hi\\n"`', whole=True)
    assert "text:" not in check_hover(text.format(200), whole=True)
    assert "text:" not in check_hover(text.format("message"), whole=True)


def test_definition_and_declaration_are_told_apart() -> None:
    check_hover(".func f<|>() { ret; }", "defined on line 1", whole=True)
    check_hover(".extern .func f<|>();", "declared on line 1", "defined elsewhere", whole=True)


def test_facts_on_a_function_come_before_its_parameters() -> None:
    text = check_hover(KERNEL.replace("entry scale", "entry sc<|>ale"), whole=True)
    assert text.startswith("`scale`: kernel, defined on line 9, 3 parameters with 24 bytes in all")


def test_only_code_has_the_colours_of_code() -> None:
    check_hover("a<|>dd.s32 %r1, %r2, 1;", "```c\n%r1 = %r2 + 1;\n```")
    check_hover("b<|>ar.sync 0;", "```text\narrive at barrier 0;")
    check_hover("d<|>iscard.global.L2 [%rd1], 128;", "```text\n")


def test_predicates_have_no_size() -> None:
    check_hover("@%p<|>1 ret;", "`%p1`: predicate register, one of 4, declared by")
    shown = check_hover(".reg .pr<|>ed %q;", "registers only")
    assert "1 bits" not in shown


@pytest.mark.parametrize(
    "marked",
    [
        "// add.u32 %r<|>1",
        "/* mov<|>.u32 */ ret;",
        "<|>",
        "ret; <|> // x",
        "add.u32 %r1, %r2<|> , 3;",
    ],
)
def test_nothing_in_comments_and_blanks(marked: str) -> None:
    fixture = parse_fixture(KERNEL.replace("BODY", marked))
    found = hover(Analysis(Document.read(fixture.text)), fixture.cursor)
    assert found is None or "%r2" in found.markdown


def test_several_statements_on_a_line() -> None:
    check_hover("{ .reg .b32 t; mov.b32 t, %r1; a<|>dd.u32 %r2, t, 1; }", "Adds")
    check_hover("{ .reg .b32 t; mov.b32 <|>t, %r1; add.u32 %r2, t, 1; }", ".reg .b32 t;")


def test_statement_over_lines() -> None:
    check_hover("add.u32\n   %r1,\n   %r<|>2,\n   3;", "`%r2`: register")
    check_hover("fma\n  .r<|>n.f32 %f1, %f2, %f3, %f4;", "Rounds")


@pytest.mark.parametrize(
    "text",
    [
        "<|>cp.async.cg.shared.global [%r1], [%rd1], 16;",
        "<|>cvt.rn.f16.f32 %r1, %f1;",
        "<|>mbarrier.init.shared.b64 [%r1], 1;",
        "<|>shfl.sync.idx.b32 %r1|%p2, %r2, 0, 31, -1;",
    ],
)
def test_hovers_are_no_dumps(text: str) -> None:
    assert check_hover(text, "**`").count("\n") < 16


DEBUG = """\
.version 8.5
.target sm_90
.file 1 "first.cu"
.file 2 "/b/second.h", 1700000000, 4096
.entry k() {
.loc 1 7 3
.loc 1 9 2, function_name $L__info_string0, inlined_at 1 7 3
ret;
}
.func f(.param .b32 x);
.section .debug_str
{
$L__info_string0:
.b8 95,90,51
.b8 102,0
}
"""


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("$L__info_<|>string0,", "_Z3f"),
        ("inlined_at 1 7<|>", "`first.cu`, line 7, column 3"),
        (".loc 1 9<|>", "`first.cu`, line 9, column 2"),
        (".b32 <|>x", "the only parameter of device function `f`"),
        (".debug<|>_str", "DWARF debug data (strings"),
        ("<|>.loc 1 9", "`first.cu`, line 9, column 2.\n\n`.loc`: "),
        ("function_<|>name", "Inlined function: `_Z3f`"),
        ("inlined<|>_at", "Inlined at `first.cu`, line 7, column 3"),
        ('1 "first<|>.cu"', "Source file 1: `first.cu`"),
        ('<|>1 "first.cu"', "Source file 1: `first.cu`"),
        ("<|>1700000000", "Last changed at 2023-11-14 22:13:20 UTC, 4,096 bytes"),
        (".file 2 <|>", "Source file 2: `/b/second.h`"),
        ("<|>.file 2", "`.file`: Gives a source file a number"),
        ("<|>.b8 95", "data of `.debug_str`, 1 byte each\n\nText: `_Z3f`"),
    ],
)
def test_debug_information_and_prototypes(place: str, expected: str) -> None:
    check_hover(DEBUG.replace(place.replace("<|>", ""), place, 1), expected, whole=True)


SPELT = """\
.version 9.1
.target sm_90
.address_size 0x40
.file 011 "first.cu", 0x10, 020
.func f() .abi_preserve 0x20;
.visible .entry k() .maxnreg 0b100000 {
.reg .b32 %r<010>;
.loc 0x9 012U 0b11
B: .branchtargets L<0x2>;
mov.u32 %r7, %tid.x;
brx.idx %r7, B;
L0: L1: ret;
}
.section .debug_str
{
$L__info_string0:
.b8 0x54,0145,115U,0b1110100,0
}
"""
"""The same as people write it, in every base."""


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (".file 0<|>11", "Last changed at 1970-01-01 00:00:16 UTC, 16 bytes."),
        (".loc 0x<|>9", "`first.cu`, line 10, column 3"),
        ("%r<01<|>0>", "`%r0` to `%r7`"),
        ("<|>.b8 0x54", "Text: `Test`"),
        ("B: .branch<|>targets", "`.branchtargets`"),
    ],
)
def test_integers_in_every_base(place: str, expected: str) -> None:
    check_hover(SPELT.replace(place.replace("<|>", ""), place, 1), expected, whole=True)
    assert not lint(Document.read(SPELT))


def test_opcode_tells_what_this_variant_needs() -> None:
    check_hover(
        "a<|>dd.rn.f32x2 %rd1, %rd2, %rd3;", "⚠ Needs PTX ISA 8.6 and `sm_100` or newer. [More"
    )
    check_hover("cp.async.commit_grou<|>p;", "Needs PTX ISA 7.0 and `sm_80` or newer. [More")


def test_opcode_omits_what_every_module_in_use_has() -> None:
    assert "Needs" not in check_hover("a<|>dd.rm.f32 %f1, %f1, %f2;")
    old = ".version 1.4\n.target sm_10\n.entry k() {\n.reg .f32 %f<3>;\nBODY\n}\n"
    marked = old.replace("BODY", "a<|>dd.rm.f32 %f1, %f1, %f2;")
    check_hover(marked, "⚠ Needs `sm_20` or newer. [More", whole=True)


def test_opcode_tells_effects() -> None:
    assert "Reads" not in check_hover("l<|>d.global.u32 %r1, [%rd1];", "[More about")
    check_hover(
        "l<|>d.acquire.gpu.global.u32 %r1, [%rd1];",
        "Reads 4 bytes of `.global` memory with acquire order at `.gpu` scope.",
    )
    check_hover("bar.s<|>ync 0;", "barrier")
    shown = check_hover("shf<|>l.sync.idx.b32 %r1, %r2, 0, 31, -1;", "- All threads in the mask")
    assert "Convergent: must not be moved across control flow." in shown


@pytest.mark.parametrize(
    ("statement", "intrinsic"),
    [
        ("shfl.sy<|>nc.idx.b32 %r1, %r2, 0, 31, -1;", "llvm.nvvm.shfl.sync.idx.i32"),
        ("shfl.sy<|>nc.idx.b32 %r1|%p1, %r2, 0, 31, -1;", "llvm.nvvm.shfl.sync.idx.i32p"),
        ("shfl.sy<|>nc.idx.b32 %f1, %f2, 0, 31, -1;", "llvm.nvvm.shfl.sync.idx.f32"),
        ("shfl.sy<|>nc.idx.b32 %f1|%p1, %f2, 0, 31, -1;", "llvm.nvvm.shfl.sync.idx.f32p"),
        ("match.an<|>y.sync.b32 %r1, %r2, -1;", "llvm.nvvm.match.any.sync.i32"),
        ("vote.sy<|>nc.all.pred %p1, %p2, -1;", "llvm.nvvm.vote.all.sync"),
    ],
)
def test_modifier_tells_the_one_intrinsic_that_fits(statement: str, intrinsic: str) -> None:
    assert check_hover(statement).endswith(f"LLVM: `{intrinsic}`.")


def test_opcode_that_is_gone_says_what_replaces_it() -> None:
    check_hover("shf<|>l.idx.b32 %r1, %r2, 0, 31;", "Removed in PTX ISA 6.4", "use `shfl.sync`")


def test_modifier_tells_what_it_adds_to_the_needs() -> None:
    check_hover("add.r<|>m.f32 %f1, %f1, %f2;", "- Needs `sm_20` or newer.")
    check_hover("add.s<|>at.f32 %f1, %f1, %f2;", "- If omitted: ")
    assert "Needs" not in check_hover("add.r<|>n.f32 %f1, %f1, %f2;", "If omitted")


def test_special_register_tells_all_about_it() -> None:
    check_hover(
        "mov.u32 %r1, %ti<|>d.x;",
        "- CUDA C++: `threadIdx.x`",
        "- LLVM: `llvm.nvvm.read.ptx.sreg.tid.x`",
        "Differs from thread to thread.",
        "Constant while a thread runs.",
    )


def test_target_and_version_tell_what_they_stand_for() -> None:
    check_hover(".version 8<|>.5", "CUDA 12.5", "R555", whole=True)
    check_hover(".version 8.5\n.target sm_9<|>0a", "Compute capability 9.0: H100", whole=True)


def test_register_of_a_fragment_tells_what_it_holds() -> None:
    mma = (
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {{%f1, %f2, %f3, %f4}}, {}, {{%r3}}, {};"
    )
    check_hover(
        mma.format("{%r1, %r<|>2}", "{%f1, %f2, %f3, %f4}"),
        "In fragment `a` (registers 0 and 1), register 1 holds these elements of A (16x8): "
        "`[lane / 4 + 8][2 * (lane % 4)]`, `[lane / 4 + 8][2 * (lane % 4) + 1]`.",
    )
    check_hover(
        mma.format("{%r1, %r2}", "{%f1, %f<|>2, %f3, %f4}"),
        "In fragment `c` (registers 0 to 3), register 1 holds this element of C (16x8): "
        "`[lane / 4][2 * (lane % 4) + 1]`.",
    )
    assert "fragment" not in check_hover("add.u32 %r1, %r<|>2, 3;", "register")


def test_predefined_names() -> None:
    check_hover("mov.u32 %r1, WARP<|>_SZ;", "The number of threads in a warp.", "Value: 32")


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("lop3.b32 %r1, %r2, %r3, %r4, 0x<|>96;", "`%r1 = %r2 ^ %r3 ^ %r4` (the parity of"),
        ("lop3.b32 %r1, %r2, %r3, %r4, 2<|>02;", "%r2 ? %r3 : %r4, bit by bit"),
        ("lop3.b32 %r1, %r2, %r3, 7, 0x<|>40;", "`%r1 = %r2 & %r3 & ~7`"),
        ("prmt.b32 %r1, %r2, %r3, 0x54<|>10;", "| `%r3.b1` | `%r3.b0` | `%r2.b1` | `%r2.b0` |"),
        ("prmt.b32 %r1, %r2, 0, 0x<|>8880;", "| sign of `%r2.b0` | sign of `%r2.b0` |"),
        ("prmt.b32.ecl %r1, %r2, %r3, <|>1;", "| `%r2.b3` | `%r2.b2` | `%r2.b1` | `%r2.b1` |"),
        ("shfl.sync.idx.b32 %r1, %r2, 0, 31, -<|>1;", "All 32 lanes."),
        ("bar.warp.sync 0xF0<|>1;", "5 lanes: 0, 8-11"),
        ("mul.f32 %f1, %f2, 0f3FB8<|>AA3B;", "= `1.442695` = 1/ln 2 = log2 e (`.f32`)"),
        ("mul.f32 %f1, %f2, 0fBF3504<|>F3;", " = -(1/sqrt 2) (`.f32`)"),
        ("mul.f32 %f1, %f2, 0f33800<|>000;", " = 2^-24 (`.f32`)"),
        ("add.f64 %fd1, %fd2, 0d400921FB<|>54442D18;", " = pi (`.f64`)"),
    ],
)
def test_what_constants_mean(marked: str, expected: str) -> None:
    check_hover(marked, expected)


def test_mangled_names() -> None:
    check_hover(
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry _Z5s<|>axpyifPf(.param .u32 _Z5saxpyifPf_param_0)\n{ ret; }\n",
        "In the source: `saxpy(int, float, float*)`",
        whole=True,
    )


@pytest.mark.parametrize(
    "opcode", ["mma.sync.aligned.row.col.f32.f16.f16.f32", "mma.sync.aligned.m16n8k16.row.col.f32"]
)
def test_matrix_instruction_whose_shape_or_type_is_still_to_be_written(opcode: str) -> None:
    check_hover(f"m<|>{opcode[1:]} {{%f1, %f2, %f3, %f4}}, {{%r1, %r2}}, {{%r3}};", "matri")


def test_matrix_descriptors_link_to_their_chapters() -> None:
    wgmma = (
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
        "{{%f1, %f2, %f3, %f4}}, {}, 1, 1, 1, 0, 0;"
    )
    links = "/isa/matrix-descriptors)", "/isa/swizzle)"
    assert "| mode |" not in check_hover(wgmma.format("%rd<|>1, %rd2"), *links)
    check_hover(wgmma.format("%rd1, %rd<|>2"), *links)
    assert "/isa/" not in check_hover(wgmma.replace("%f2", "%f<|>2").format("%rd1, %rd2"))


def test_lanes_of_a_fragment() -> None:
    check_hover(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4},"
        " {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f<|>2, %f3, %f4};",
        "| register | lane 0 | lane 1 | lane 2 | lane 3 | lane 4 | lane 31 |",
        "| **1**        | `[0][1]` | `[0][3]` | `[0][5]` | `[0][7]` | `[1][1]` | `[7][7]`  |",
    )


def test_lanes_of_several_warps() -> None:
    registers = ", ".join(f"%f{number}" for number in range(1, 9))
    check_hover(
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16"
        f" {{{registers}}}, %rd1, %rd2, 1, 1, 1, 0, 0;".replace("%f2", "%f<|>2"),
        "| register, warp 0 | lane 0 | lane 1  |",
        "| **1**                | `[0][1]` | `[0][3]`  |",
    )


SPARSE = (
    "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {{%f1, %f2, %f3, %f4}}, "
    "{{%r1, %r2, {}, %r4}}, {{%r5, %r6, %r7, %r8}}, {{%f1, %f2, %f3, %f4}}, {}, 0x1;"
)


def test_fragments_of_sparse_matrices_tell_columns_of_the_whole() -> None:
    check_hover(
        SPARSE.format("%r<|>3", "%r9"),
        "In fragment `a` (registers 0 to 3), register 2 holds these elements of A "
        "(16x32, 2 stored for every 4 columns), counting only stored columns: "
        "`[lane / 4][2 * (lane % 4) + 8]`",
        "| **2**        | `[0][16-19]` `[0][16-19]` | `[0][20-23]` `[0][20-23]` |",
    )
    check_hover(
        SPARSE.format("%r3", "%r<|>9"),
        "In fragment `e`, register 0 holds these elements of A (16x32, one for every 4 columns)",
        "| register | lane 2                  | lane 3                    | lane 6 ",
        "| **0**        | `[0][0-3]` ... `[8][12-15]` | `[0][16-19]` ... `[8][28-31]` |",
        "Two 2-bit positions",
    )


def check_picture(marked: str) -> str:
    """The image for a register of a matrix, as text; "" for anything else."""
    fixture = parse_fixture(KERNEL.replace("BODY", marked))
    uri = picture(Analysis(Document.read(fixture.text)), fixture.cursor)
    kind, _, data = uri.partition(",")
    assert not uri or kind == "data:image/svg+xml;base64"
    return b64decode(data).decode()


def test_a_picture_takes_the_place_of_the_table() -> None:
    fixture = parse_fixture(
        KERNEL.replace(
            "BODY",
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f<|>2, %f3, %f4},"
            " {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};",
        )
    )
    analysis = Analysis(Document.read(fixture.text))
    shown = [
        hover(analysis, fixture.cursor, shows_images=shows_images) for shows_images in (False, True)
    ]
    texts = [each.markdown for each in shown if each is not None]
    assert ["| register |" in text for text in texts] == [True, False]
    assert all("In fragment `d` (registers 0 to 3), register 1 holds" in text for text in texts)


def test_picture_of_a_fragment() -> None:
    image = check_picture(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4},"
        " {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f<|>2, %f3, %f4};"
    )
    root = ET.fromstring(image)  # noqa: S314  our own image
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:8] == list("01234567")
    assert texts.count("T31.1") == 1
    assert image.count('class="o"') == 32


def test_long_names_of_elements_are_small() -> None:
    operands = "{%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f<|>2, %f3, %f4}"
    image = check_picture(f"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {operands};")
    assert 'class="s"' not in image
    product = "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"
    registers = ", ".join(f"%f{number % 5}" for number in range(64))
    last = f"{registers[: registers.rindex('%')]}%f<|>3"
    image = check_picture(f"{product} {{{last}}}, %rd1, %rd2, 1, 1, 1, 0, 0;")
    root = ET.fromstring(image)  # noqa: S314  our own image
    names = [
        each.text or ""
        for each in root.iter("{http://www.w3.org/2000/svg}text")
        if each.get("class") == "s"
    ]
    assert {*map(len, names)} == {6}


def test_a_picture_shows_the_part_with_the_register() -> None:
    image = check_picture(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4},"
        " {%r1, %r<|>2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};"
    )
    root = ET.fromstring(image)  # noqa: S314  our own image
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[16:24] == ["8", "9", "10", "11", "12", "13", "14", "15"]
    assert image.count('class="o"') == 64


def test_picture_of_metadata() -> None:
    image = check_picture(SPARSE.format("%r3", "%r<|>9"))
    root = ET.fromstring(image)  # noqa: S314  our own image
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:3] == ["0-3", "4-7", "8-11"]
    assert {"T2", "T3"} <= set(texts)
    assert "T0" not in texts


def test_no_picture() -> None:
    assert check_picture("add.u32 %r1, %r<|>2, 3;") == ""
    assert check_picture("<|>ret;") == ""


def test_a_register_that_is_used_everywhere() -> None:
    head = ".entry k() {\n.reg .b32 %r<9>;\nmov.u32 %r2, 1;\n"
    use = "add.u32 %r1, %r1, %r2;\n"
    some = check_hover(
        f"{head}{use * 1002}add.u32 %r1, %r<|>1, %r1;\nmov.u32 %r1, 2;\n}}",
        "Written 1,004 times",
        "add.u32 %r1, %r1, %r2;  // line 1005",
        whole=True,
    )
    assert "The value written here is never read" in some
    many = check_hover(
        f"{head}{use * 5001}add.u32 %r1, %r1, %r<|>2;\n}}",
        "Used more than 5,000 times in this function",
        whole=True,
    )
    assert "Value" not in many


def test_rules_in_comments() -> None:
    for comment in (
        "// ptx-ls: ignore[x, opera<|>nd-width] why",
        "/* ptx-ls: ignore-file[opera<|>nd-width] */",
    ):
        check_hover(
            f"ret; {comment}",
            "`operand-width`: rule, error",
            "Reports",
            "[Why is this bad?](https://ptx-ls.readthedocs.io/rules/operand-width)",
        )
    for comment in (
        "// ptx-ls: ignore[operand-<|>with]",
        "// ptx-ls: igno<|>re[operand-width]",
        "// ptx-ls: ignore[operand-width] opera<|>nd-width",
        "// ignore[opera<|>nd-width]",
    ):
        check_hover(f"ret; {comment}", None)
