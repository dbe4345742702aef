"""Hints between the words: `«text»` marks where a hint is expected in the PTX."""

from __future__ import annotations

import re

from ptx_ls.document.document import Document
from ptx_ls.features.hints.hint import Hint, HintKind
from ptx_ls.features.hints.inlay_hints import hints, resolve
from ptx_ls.semantics.analysis import Analysis

MARK = re.compile("«[^»]*»")
REGISTERS = (
    ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .f32 %f<40>; .reg .b64 %rd<9>; .reg .b16 %rs<9>;\n"
)


def check_hints(marked: str, *kinds: HintKind, head: str = "") -> list[Hint]:
    """Hints of these kinds in the body of a kernel are those that are written in it."""
    head = f".version 8.6\n.target sm_90a\n{head}.entry k()\n{{\n{REGISTERS}"
    text = head + MARK.sub("", marked) + "\n}\n"
    first = head.count("\n")
    document = Document.read(text)
    stop = first + marked.count("\n") + 1
    found = hints(Analysis(document), first, stop, kinds)
    lines = MARK.sub("", marked).split("\n")
    for hint in sorted(found, key=lambda hint: hint.position, reverse=True):
        line, column = hint.position.line - first, hint.position.column
        lines[line] = f"{lines[line][:column]}«{hint.text}»{lines[line][column:]}"
    assert "\n".join(lines) == marked
    return found


def test_numbers() -> None:
    found = check_hints(
        "mov.f32 %f1, 0f3F800000«1.0»;\nadd.f64 %rd1, %rd2, 0d3FB999999999999A«0.1»;\n"
        "add.u32 %r1, %r2, 0x1F«31»; add.s32 %r1, %r2, 31;",
        HintKind.LITERAL,
    )
    assert "0f3F800000" in (resolve(found[0].data) or "")


def test_components_without_a_name_in_cuda() -> None:
    check_hints(
        "mov.u32 %r1, %tid.w;\nmov.u32 %r2, %ctaid.g«blockIdx.y»;\nmov.u32 %r3, %ntid.a;",
        HintKind.SPECIAL_REGISTER,
    )


def test_floats_with_a_name() -> None:
    check_hints(
        "mul.f32 %f1, %f2, 0f3FC90FDB«pi/2»; mul.f32 %f1, %f2, 0f33800000«2^-24»;\n"
        "mul.f32 %f1, %f2, 0f3FB8AA3B«log2 e»; add.f32 %f1, %f2, 0f4B400000«1.5 * 2^23»;\n"
        "mul.f64 %rd1, %rd2, 0dBFF921FB54442D18«-pi/2»; mul.f32 %f1, %f2, 0f3FC90FDA;",
        HintKind.LITERAL,
    )


def test_zero_and_coefficients_of_many_digits() -> None:
    check_hints(
        "mov.f32 %f1, 0f00000000; mov.f32 %f1, 0f80000000«-0.0»; "
        "mov.f64 %rd1, 0d0000000000000000;\nfma.rn.f64 %rd1, %rd2, %rd3, 0d3F91BF7734CF1C48;\n"
        "mov.f64 %rd1, 0d7FF0000000000000«infinity»;",
        HintKind.LITERAL,
    )


def test_a_float_is_not_repeated_on_the_next_lines() -> None:
    more = "add.f32 %f1, %f2, %f3;\n" * 8
    check_hints(
        "mul.f32 %f1, %f2, 0f3FB8AA3B«log2 e»;\nmul.f32 %f3, %f4, 0f3FB8AA3B;\n"
        f"mul.f32 %f3, %f4, 0f3F000000«0.5»;\n{more}mul.f32 %f3, %f4, 0f3FB8AA3B«log2 e»;",
        HintKind.LITERAL,
    )


def test_numbers_that_are_taken_with_a_sign() -> None:
    check_hints(
        "mad.lo.s32 %r1, %r2, 0xFFFFFFFE«-2», 0x17«23»;\n"
        "@%p1 mov.s32 %r1, 0x80000000«-2147483648»;\n"
        "mul.wide.s16 %r1, %rs1, 0xFFFF«-1»; shr.s32 %r1, %r2, 0x1F«31»;\n"
        "setp.lt.u32 %p1, %r1, 0xFFFFFFFF;\n"
        ".local .s8 a[2] = {0x7F«127», 0xFF«-1»};\nst.s32 [%rd1+0x80000000«2147483648»], 0;",
        HintKind.LITERAL,
    )


def test_digits_that_are_the_same_in_decimal() -> None:
    check_hints(
        "add.u32 %r1, %r2, 0x7; add.u32 %r1, %r2, 07; add.u32 %r1, %r2, 0b1; "
        "add.u32 %r1, %r2, 0x0; add.u32 %r1, %r2, 0x08U; add.u32 %r1, %r2, 0;\n"
        "add.u32 %r1, %r2, 010«8»; add.u32 %r1, %r2, 0b10«2»; add.u32 %r1, %r2, 0xA«10»;",
        HintKind.LITERAL,
    )


def test_masks_and_tables_are_clearer_as_they_are_written() -> None:
    check_hints(
        "\tlop3.b32 %r1, %r2, %r3, %r4, 0x96;\n  @%p1 prmt.b32 %r1, %r2, %r3, 0x5410;\n"
        "and.b32 %r1, %r2, 0x96; mov.b32 %r1, 0xFF00;\n"
        "vote.sync.ballot.b32 %r1, %p1, 0xFFFFFFFF; elect.sync %r1|%p1, 0xFFFFFFFF;\n"
        ".local .b32 t[2] = {0x1F, 0xFF00};",
        HintKind.LITERAL,
    )


def test_adjacent_ones_are_a_mask_whatever_the_type() -> None:
    check_hints(
        ".global .u8 x[2] = {0xFF00(y), 0xff0000(y)};\nadd.u32 %r1, %r2, 0xFFFF;\n"
        "add.u32 %r1, %r2, 0xFF; add.u32 %r1, %r2, 0x1000«4096»;\n"
        "add.s32 %r1, %r2, 0xFFFFFFFF«-1»;",
        HintKind.LITERAL,
    )


def test_hashes_and_other_long_integers() -> None:
    check_hints(
        "xor.b32 %r1, %r2, 0x510e527f; sub.s32 %r1, 0x5F3759DF, %r2; mov.u32 %r3, 0x8200490;\n"
        "add.s32 %r1, %r2, 0xFFFE7960; add.u32 %r1, %r2, 0x186A0;\n"
        "add.u32 %r1, %r2, 0x100000«1048576»; add.u32 %r1, %r2, 0x9C40«40000»;",
        HintKind.LITERAL,
    )


def test_a_number_is_named_once_on_a_line() -> None:
    check_hints(
        "st.v2.f32 [%rd1], {0f7F800000«infinity», 0f7F800000};\n"
        "add.u32 %r1, %r2, 0x1F«31»; add.u32 %r1, %r2, 0x1F;\nadd.u32 %r1, %r2, 0x1F«31»;",
        HintKind.LITERAL,
    )


def test_numbers_that_a_comment_says() -> None:
    check_hints(
        "mov.f32 %f1, 0f3F000000; // 0.5\nmov.f32 %f1, 0f40490FDB; // 3.14159274\n"
        "mov.f32 %f1, 0fFF800000; // -inf\nmov.f32 %f1, 0f3F800000«1.0»; // 1.5 or 0f3F800000\n"
        "mov.f32 %f1, 0f3FC90FDB; /* pi/2 */ add.u32 %r1, %r2, 0x1F; // the 31 others\n"
        "add.u32 %r1, %r2, 0x1F«31»; // 310, or a31",
        HintKind.LITERAL,
    )


def test_a_constant_with_a_sign_keeps_its_parentheses() -> None:
    check_hints("mov.f64 %fd1, 0dC338000000000000«-(1.5 * 2^52)»;", HintKind.LITERAL)


def test_a_type_that_is_not_known_is_not_shown() -> None:
    check_hints(".reg .b64 %broken<5>\nld.u64 %broken1, [%rd1];", HintKind.REGISTER_TYPE)


def test_live_registers() -> None:
    check_hints(
        "mov.u32 %r1, %tid.x;«1 live»\nmov.u64 %rd1, 64; mov.u16 %rs1, 1;«4 live»\n"
        "// nothing\nst.global.u32 [%rd1], %r1;«1 live»\nst.shared.u16 [0], %rs1;«0 live»\nret;",
        HintKind.LIVE_REGISTERS,
    )


def test_of_a_table_only_the_first_numbers() -> None:
    numbers = [f"0x{number:X}" for number in range(0x1A, 0x25)]
    shown = [f"{number}«{int(number, 16)}»" for number in numbers[:8]]
    marked = ".local .u32 t[11] = {" + ", ".join(shown + numbers[8:]) + "};"
    check_hints(marked, HintKind.LITERAL)


def test_special_registers() -> None:
    found = check_hints(
        "mov.u32 %r1, %tid.x«threadIdx.x»;\nmad.lo.s32 %r1, %ntid.y«blockDim.y», %r2, %r3;\n"
        "mov.u32 %r1, %laneid; mov.b32 %r1, %r2; mov.u32 %r1, %clock;",
        HintKind.SPECIAL_REGISTER,
    )
    assert resolve(found[0].data)


def test_special_registers_that_are_clear() -> None:
    check_hints(
        "mov.u32 %r1, %tid.x«threadIdx.x»;\nmov.u32 %r2, %tid.y;\n"
        "mov.u32 %r3, %ntid.x«blockDim.x»;\n"
        "mov.u32 %ctaid_x, %ctaid.x; mov.b32 block_blockidx, %ctaid.x;\n"
        "mov.u32 %r4, %clusterid.x; mov.u32 %r4, %cluster_ctarank;\n"
        "mov.u32 %r5, %nctaid.x; // gridDim.x",
        HintKind.SPECIAL_REGISTER,
    )


def test_sources() -> None:
    found = check_hints(
        ".loc 2 0 5\n.loc 1 37 5«saxpy.cu:37»\n.loc 9 1 1\n.loc 1 0 5\n.loc 1 38 5\n"
        ".loc 1 39 5\nret;\n.loc 2 3 1«add.h:3», function_name $L, inlined_at 1 4 5",
        HintKind.LOCATION,
        head='.file 1 "/src/kernels/saxpy.cu"\n.file 2 "/src/add.h"\n',
    )
    assert resolve(found[0].data) == "`/src/kernels/saxpy.cu:37:5`"


def test_sources_that_a_comment_names() -> None:
    check_hints(
        ".loc 1 37 5 // saxpy.py:37:5\n.loc 1 38 5 // saxpy.py:38:5\n.loc 2 3 1«add.h:3» // add.py",
        HintKind.LOCATION,
        head='.file 1 "/src/kernels/saxpy.py"\n.file 2 "/src/add.h"\n',
    )


def test_a_file_of_a_call_that_was_inlined() -> None:
    call = "function_name $L, inlined_at"
    check_hints(
        f".loc 2 3 1, {call} 1 4 5«a.py:4» // b.py:3\nret;\n.loc 2 4 1, {call} 1 4 5 // b.py:4\n"
        f".loc 2 4 1, {call} 1 5 5 // b.py:4\n.loc 2 9 1\n.loc 1 9 1",
        HintKind.LOCATION,
        head='.file 1 "/src/a.py"\n.file 2 "/src/b.py"\n',
    )


def test_files_that_alternate_are_named_once() -> None:
    alternating = ".loc 1 5 1\nret;\n.loc 2 5 1\n" * 8
    check_hints(
        f".loc 1 5 1«a.cu:5»\n.loc 2 5 1«b.h:5»\n{alternating}"
        + "ret;\n" * 20
        + ".loc 2 6 1\n.loc 1 6 1«a.cu:6»",
        HintKind.LOCATION,
        head='.file 1 "a.cu"\n.file 2 "b.h"\n',
    )


def test_a_source_that_is_declared_in_the_middle_of_a_long_module() -> None:
    others = "".join(f".entry k{number}() {{\n    ret;\n}}\n" for number in range(1200))
    text = f'{others}.file 1 "/src/a.cu"\n{others.replace("k", "l")}'
    check_hints("bra next;\n.loc 1 4 5«a.cu:4»\nnext:", HintKind.LOCATION, head=text)


def test_a_source_that_is_named_above() -> None:
    head = '.file 1 "a.cu"\n.file 2 "b.cu"\n.entry k()\n{\n'
    analysis = Analysis(Document.read(f"{head}.loc 1 5 1\nret;\n.loc 1 6 1\n.loc 2 6 1\n}}\n"))
    for first, expected in ((4, ["a.cu:5", "b.cu:6"]), (5, ["b.cu:6"]), (7, ["b.cu:6"])):
        found = hints(analysis, first, 9, [HintKind.LOCATION])
        assert [hint.text for hint in found] == expected


def test_types_that_neither_name_nor_opcode_says() -> None:
    check_hints(
        ".reg .pred is; .reg .b64 wide; .reg .b16 %b<4>;\n"
        "setp.eq.s32 is«.pred»|%p2, %r1, %r2;\nmul.wide.s32 wide«.b64», %r1, 4;\n"
        "mul.wide.s32 %rd1, %r1, 4;\nld.global.u8 %rs1, [%rd1]; ld.global.u8 %b1«.b16», [%rd1];\n"
        "add.s32 %r1, %r2, %r3;\nsetp.eq.s32 is, %r1, %r2;",
        HintKind.REGISTER_TYPE,
    )


def test_a_register_that_was_defined_above() -> None:
    text = (
        ".entry k()\n{\n.reg .pred p; .reg .b32 r;\nsetp.eq.s32 p, r, 0;\nsetp.eq.s32 p, r, 1;\n}\n"
    )
    analysis = Analysis(Document.read(text))
    for first, expected in ((3, [".pred"]), (4, [])):
        found = hints(analysis, first, 5, [HintKind.REGISTER_TYPE])
        assert [hint.text for hint in found] == expected


def test_names_of_operands() -> None:
    found = check_hints(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, "
        "{%r1, %r2}, {%r3}, {%f0, %f1, %f2, %f3};\n"
        "shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, «membermask:»-1;\n"
        "@%p1 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes\n"
        "    «dstMem:»[%r1], // over two lines\n    «address:»[%rd1, {%r2}], «mbar:»[%r3];\n"
        "lop3.b32 %r1, %r2, %r3, %r4, «immLut:»0x80;\nfma.rn.f32 %f1, %f2, %f3, %f1;\n"
        "add.s32 %r1, %r2, %r3; ret;",
        HintKind.OPERAND_NAME,
    )
    assert resolve(found[0].data)
    assert resolve({"opcode": "gone", "operand": "a"}) is None
    assert resolve({"opcode": "mad"}) is None


def test_nothing_that_is_not_wanted() -> None:
    check_hints("setp.eq.s32 %p1, %tid.x, 0x1F;\n.loc 1 2 3")
