"""Hints between the words: `«text»` stands in the PTX where a hint is expected."""

from __future__ import annotations

import re

from ptx_ls.document.document import Document
from ptx_ls.features.hints.inlay_hints import Hint, HintKind, hints, resolve
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
        "and.b32 %r1, %r2, 0x1F«31»; add.s32 %r1, %r2, 31;",
        HintKind.LITERAL,
    )
    assert "0f3F800000" in (resolve(found[0].data) or "")


def test_numbers_that_are_taken_with_a_sign() -> None:
    check_hints(
        "mad.lo.s32 %r1, %r2, 0xFFFFFFFE«-2», 0x7«7»;\n@%p1 mov.s32 %r1, 0x80000000«-2147483648»;\n"
        "mul.wide.s16 %r1, %rs1, 0xFFFF«-1»; and.b32 %r1, %r2, 0x80000000«2147483648»;\n"
        "setp.lt.u32 %p1, %r1, 0xFFFFFFFF«4294967295»; shr.s32 %r1, %r2, 0x1F«31»;\n"
        ".local .s8 a[2] = {0x7F«127», 0xFF«-1»};\nst.s32 [%rd1+0x80000000«2147483648»], 0;",
        HintKind.LITERAL,
    )


def test_a_type_that_is_not_known_is_not_shown() -> None:
    check_hints(".reg .b64 %broken<5>\nld.u64 %broken1, [%rd1];", HintKind.REGISTER_TYPE)


def test_live_registers() -> None:
    check_hints(
        "mov.u32 %r1, %tid.x;«1 live»\nmov.u64 %rd1, 64; mov.u16 %rs1, 1;«4 live»\n"
        "// nothing\nst.global.u32 [%rd1], %r1;«1 live»\nst.shared.u16 [0], %rs1;«0 live»\nret;",
        HintKind.LIVE_REGISTERS,
    )


def test_of_a_table_only_the_first_numbers() -> None:
    marked = ".local .b32 t[9] = {" + ", ".join(["0x1F«31»"] * 8 + ["0x1F"] * 3) + "};"
    check_hints(marked, HintKind.LITERAL)


def test_special_registers() -> None:
    found = check_hints(
        "mov.u32 %r1, %tid.x«threadIdx.x»;\nmad.lo.s32 %r1, %ntid.y«blockDim.y», %r2, %r3;\n"
        "mov.u32 %r1, %laneid; mov.b32 %r1, %r2;",
        HintKind.SPECIAL_REGISTER,
    )
    assert resolve(found[0].data)


def test_sources() -> None:
    found = check_hints(
        ".loc 1 37 5«saxpy.cu:37»\n.loc 9 1 1\n.loc 1 0 5\n"
        ".loc 1 3 1«saxpy.cu:3», function_name $L, inlined_at 1 4 5«saxpy.cu:4»",
        HintKind.LOCATION,
        head='.file 1 "/src/kernels/saxpy.cu"\n',
    )
    assert resolve(found[0].data) == "`/src/kernels/saxpy.cu:37:5`"


def test_types_that_the_opcode_does_not_tell() -> None:
    check_hints(
        "setp.eq.s32 %p1«.pred»|%p2«.pred», %r1, %r2;\nmul.wide.s32 %rd1«.b64», %r1, 4;\n"
        "mov.b32 %f1«.f32», %r1;\nadd.s32 %r1, %r2, %r3;\nld.global.u8 %rs1«.b16», [%rd1];\n"
        "setp.eq.s32 %p1, %r1, %r2;",
        HintKind.REGISTER_TYPE,
    )


def test_a_register_that_was_defined_above() -> None:
    text = f".entry k()\n{{\n{REGISTERS}setp.eq.s32 %p1, %r1, 0;\nsetp.eq.s32 %p1, %r1, 1;\n}}\n"
    analysis = Analysis(Document.read(text))
    for first, expected in ((3, [".pred"]), (4, [])):
        found = hints(analysis, first, 5, [HintKind.REGISTER_TYPE])
        assert [hint.text for hint in found] == expected


def test_names_of_operands() -> None:
    found = check_hints(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, "
        "«a:»{%r1, %r2}, «b:»{%r3}, «c:»{%f0, %f1, %f2, %f3};\n"
        "shfl.sync.down.b32 %r1|%p1, «a:»%r2, «b:»16, «c:»31, «membermask:»-1;\n"
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


def test_tables_are_no_numbers() -> None:
    check_hints(
        "\tlop3.b32 %r1, %r2, %r3, %r4, 0x96;\n  @%p1 prmt.b32 %r1, %r2, %r3, 0x5410;\n"
        "and.b32 %r1, %r2, 0x96«150»;",
        HintKind.LITERAL,
    )
