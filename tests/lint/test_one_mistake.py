"""One mistake draws one error: nothing follows from it elsewhere, however the text continues."""

from __future__ import annotations

from typing import Final

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity

pytestmark = pytest.mark.excerpts

MODULE: Final = """\
.version 8.0
.target sm_90
.address_size 64
.global .align 4 .u32 table[4] = {1, 2, 3, 4};
.func (.param .b32 result) helper(.param .b32 value)
{
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [value];
    st.param.b32 [result], %r1;
    ret;
}
.visible .entry kernel(
    .param .u64 input,
    .param .u32 count
)
.maxntid 128, 1, 1
{
    .reg .pred %p<3>;
    .reg .b16 %h<4>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<6>;
    .reg .f32 %f<8>;
    .shared .align 16 .b8 tile[256];
    .param .b32 argument;
    .param .b32 answer;
    ld.param.u64 %rd1, [input];
    ld.param.u32 %r1, [count];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd3, %r2, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.f32 %f1, [%rd4];
    ld.global.v2.f32 {%f2, %f3}, [%rd4];
    fma.rn.f32 %f4, %f1, %f2, %f3;
    cvt.rzi.s32.f32 %r3, %f4;
    {
        .reg .b32 inner;
        mov.b32 inner, 7;
        add.s32 %r3, %r3, inner;
    }
    st.param.b32 [argument], %r3;
    call (answer), helper, (argument);
    ld.param.b32 %r4, [answer];
    add.s32 %r5, %r4, %r3;
    shfl.sync.down.b32 %r6|%p2, %r5, 16, 31, -1;
    st.shared.u32 [tile], %r6;
    bar.sync 0;
    st.global.u32 [%rd4], %r6;
DONE:
    ret;
}
"""
MISTAKES: Final = {
    # what: (text, what is written instead, the rule that reports it)
    "opcode": ("mul.wide", "mull.wide", "unknown-opcode"),
    "opcode of a definition": ("ld.param.u64 %rd1", "lod.param.u64 %rd1", "unknown-opcode"),
    "modifier": ("fma.rn.f32", "fma.rm2.f32", "unknown-modifier"),
    "two words in one": ("ld.global.f32", "ldglobal.f32", "unknown-opcode"),
    "no rounding": ("fma.rn.f32", "fma.f32", "missing-modifier"),
    "twice": ("fma.rn.f32", "fma.rn.rn.f32", "duplicate-modifier"),
    "type": ("fma.rn.f32", "fma.rn.s32", None),
    "no type": ("add.s64", "add", "missing-modifier"),
    "register class": ("fma.rn.f32 %f4, %f1", "fma.rn.f32 %f4, %p1", "operand-type"),
    "width": ("add.s64 %rd4, %rd2", "add.s64 %rd4, %r2", "operand-width"),
    "register": ("setp.ge.u32 %p1, %r2", "setp.ge.u32 %p1, %x2", "undeclared-register"),
    "beyond the range": ("add.s32 %r5, %r4", "add.s32 %r5, %r14", "undeclared-register"),
    "range too small": (".reg .b32 %r<10>", ".reg .b32 %r<6>", "undeclared-register"),
    "registers of another name": (".reg .f32 %f<8>", ".reg .f32 %g<8>", None),
    "registers not declared": ("    .reg .b64 %rd<6>;\n", "", None),
    "variable not declared": ("    .shared .align 16 .b8 tile[256];\n", "", "undeclared-symbol"),
    "label": ("bra DONE", "bra DONNE", "undeclared-label"),
    "label without colon": ("DONE:\n", "DONE\n", "unknown-opcode"),
    "type of no operand": ("add.s32 %r5", "add.f64 %r5", "operand-type"),
    "space of registers": (".reg .b64 %rd<6>", ".const .b64 %rd<6>", None),
    "type that registers have": (".reg .b64 %rd<6>", ".reg .f32 %rd<6>", "operand-width"),
    "version older than the target": (".version 8.0", ".version 2.0", "unsupported-version"),
    "kind of function without linkage": (".func (", ".fnuc (", "unknown-directive"),
    "label without colon before an opcode with a dot": (
        "DONE:\n",
        "DONE\n    mov.u32 %r2, 1;\n",
        "unknown-opcode",
    ),
    "opening brace of a vector": ("{%f2, %f3}", "%f2, %f3}", "syntax-error"),
    "opening brace of values": ("{1, 2, 3, 4}", "1, 2, 3, 4}", "syntax-error"),
    "opening bracket of a size": (".b8 tile[256]", ".b8 tile256]", "syntax-error"),
    "comma at the end of a line": ("(answer), helper", "(answer)\n    helper", "syntax-error"),
    "comma at the end of a line of registers": ("%rd4, %rd2,", "%rd4\n    %rd2,", "syntax-error"),
    "dot of registers": (".reg .b64 %rd<6>", "reg .b64 %rd<6>", "unknown-opcode"),
    "dot of a variable": (".shared .align", "shared .align", "unknown-opcode"),
    "dot of a parameter": (".param .b32 answer", "param .b32 answer", "unknown-opcode"),
    "label not there": ("DONE:\n", "", "undeclared-label"),
    "symbol": ("[tile], %r6", "[tiles], %r6", "undeclared-symbol"),
    "parameter": ("[count]", "[cuont]", "undeclared-symbol"),
    "callee": ("helper, (", "helpers, (", "undeclared-symbol"),
    "argument": ("(argument);", "(arguments);", "undeclared-symbol"),
    "argument not declared": ("    .param .b32 argument;\n", "", "undeclared-symbol"),
    "inner name outside": ("add.s32 %r5, %r4, %r3", "add.s32 %r5, %r4, inner", None),
    "declared twice": (".reg .b16 %h<4>;", ".reg .b16 %r<4>;", "duplicate-declaration"),
    "label twice": ("    bar.sync 0;", "DONE: bar.sync 0;", "duplicate-label"),
    "no semicolon": ("mov.u32 %r2, %tid.x;", "mov.u32 %r2, %tid.x", "syntax-error"),
    "no semicolon of registers": (".reg .b32 %r<10>;", ".reg .b32 %r<10>", "syntax-error"),
    "no semicolon of a parameter": (".param .b32 answer;", ".param .b32 answer", "syntax-error"),
    "no comma": ("add.s64 %rd4, %rd2, %rd3", "add.s64 %rd4, %rd2 %rd3", "syntax-error"),
    "no comma of parameters": ("input,\n", "input\n", "syntax-error"),
    "two commas": ("mul.wide.u32 %rd3, %r2", "mul.wide.u32 %rd3,, %r2", "syntax-error"),
    "bracket": ("ld.global.f32 %f1, [%rd4]", "ld.global.f32 %f1, [%rd4", "syntax-error"),
    "brace of a vector": ("{%f2, %f3}", "{%f2, %f3", "syntax-error"),
    "parenthesis": ("(argument);", "(argument;", "syntax-error"),
    "parenthesis of a head": ("\n)\n.maxntid", "\n.maxntid", "syntax-error"),
    "angle": ("%rd<6>", "%rd<6", "syntax-error"),
    "range without angle": ("%rd<6>", "%rd6>", "syntax-error"),
    "number": ("%r2, 4;", "%r2, 0x;", "syntax-error"),
    "float": ("%f1, %f2, %f3;", "%f1, 0f3F80, %f3;", "syntax-error"),
    "one operand more": ("add.s32 %r5, %r4, %r3", "add.s32 %r5, %r4, %r3, %r2", "operand-count"),
    "one operand less": ("add.s32 %r5, %r4, %r3", "add.s32 %r5, %r4", "operand-count"),
    "swapped": ("st.shared.u32 [tile], %r6", "st.shared.u32 %r6, [tile]", None),
    "no address": ("st.global.u32 [%rd4]", "st.global.u32 %rd4", "operand-kind"),
    "space": ("st.shared.u32 [tile]", "st.global.u32 [tile]", "state-space"),
    "store to const": ("st.shared.u32 [tile]", "st.const.u32 [tile]", None),
    "vector": ("ld.global.v2.f32", "ld.global.v4.f32", "vector-size"),
    "guard": ("@%p1 bra", "@%r1 bra", "guard-predicate"),
    "opening brace": (".maxntid 128, 1, 1\n{", ".maxntid 128, 1, 1", None),
    "opening brace of a function": (".b32 value)\n{", ".b32 value)", None),
    "closing brace": ("    ret;\n}\n.visible", "    ret;\n.visible", "unbalanced-brace"),
    "last brace": ("DONE:\n    ret;\n}", "DONE:\n    ret;", "unbalanced-brace"),
    "inner brace": ("inner;\n    }", "inner;", "unbalanced-brace"),
    "inner brace not opened": ("%f4;\n    {", "%f4;", "misplaced-instruction"),
    "a brace more": ("DONE:\n", "}\nDONE:\n", "misplaced-instruction"),
    "no version": (".version 8.0\n", "", "module-header"),
    "no target": (".target sm_90\n", "", "module-header"),
    "version of nothing": (".version 8.0", ".version 8.9", "unknown-version"),
    "version too low": (".version 8.0", ".version 6.0", "unsupported-version"),
    "target of nothing": ("sm_90", "sm_91b", "unknown-target"),
    "target misspelled": (".target", ".taget", None),
    "version misspelled": (".version", ".verzion", None),
    "directive": (".maxntid", ".maxntidd", "unknown-directive"),
    "directive of a body": ("    .shared .align", "    .shard .align", None),
    "registers misspelled": (".reg .b64 %rd<6>", ".rag .b64 %rd<6>", "unknown-directive"),
    "type of registers": (".reg .b64 %rd<6>", ".reg .b46 %rd<6>", "syntax-error"),
    "type of a parameter": (".param .u64 input", ".param .u46 input", "syntax-error"),
    "kind of function": (".visible .entry", ".visible .entri", None),
    "result not taken": ("call (answer), helper", "call helper", "call-arguments"),
    "barrier": ("bar.sync 0", "bar.sync 16", "immediate-range"),
    "end within a statement": (
        MODULE[MODULE.index("[%rd4], %r6;\nDONE") :],
        "",
        "unbalanced-brace",
    ),
    "brace for a semicolon": ("add.s32 %r5, %r4, %r3;", "add.s32 %r5, %r4, %r3}", "syntax-error"),
    "brace for a comma": ("ld.global.f32 %f1, [", "ld.global.f32 %f1} [", "syntax-error"),
    "brace in a directive": ("    .shared .align", "    .}hared .align", "unknown-directive"),
    "semicolon too early": ("ld.global.f32 %f1, [", "ld.global.f32 %f1, ;[", "syntax-error"),
    "semicolon in a name": ("setp.ge.u32 %p1, %r2", "setp.ge.u32 %;1, %r2", "syntax-error"),
    "semicolon in values": ("{1, 2, 3, 4}", "{1, 2; 3, 4}", "syntax-error"),
    "semicolon before": ("DONE:\n    ret;", "DONE:\n    ;ret", "syntax-error"),
    "semicolon for a bracket": ("tile[256];", "tile[256;;", "syntax-error"),
    "semicolon for a directive": (".reg .b64 %rd<6>", "; .b64 %rd<6>", "syntax-error"),
    "a mark for the last brace": ("    ret;\n}\n.visible", "    ret;\n[\n.visible", "syntax-error"),
    "two words swapped": (
        ".reg .b64 %rd<6>;\n    .reg",
        ".reg .b64 %rd<6>.reg\n    ;",
        "syntax-error",
    ),
    "two words of names swapped": (
        "argument;\n    .param",
        "argument.param\n    ;",
        "invalid-declaration",
    ),
    "directive among operands": ("[%rd4];\n    ld", "[.align %rd4];\n    ld", "syntax-error"),
    "names in a broken declaration": ("{1, 2, 3, 4}", "{generic(table)Q table}", "syntax-error"),
    "name of a parameter": (".param .u32 count\n", ".param .u32\n", "syntax-error"),
    "name of a parameter broken": (".param .u32 count\n", ".param .u32 co{nt\n", "syntax-error"),
    "separator of a parameter": ("(.param .b32 value)", "(.param .b32 .value)", "syntax-error"),
    "head without its opening": ("kernel(\n", "kernel\n", "misplaced-directive"),
    "declaration twice": (
        "    .reg .b16 %h<4>;\n",
        "    .reg .b16 %h<4>, %k, %l;\n    .reg .b16 %h<4>, %k, %l;\n",
        "duplicate-declaration",
    ),
    "guard out of range": ("@%p1 bra", "@%r11 bra", "undeclared-register"),
    "register added to a name": ("[tile]", "[tile+%x]", "operand-kind"),
    "index of a register": ("mov.b32 inner,", "mov.b32 inner[2],", "array-index"),
    "word behind an opcode": ("DONE:\n    ret;", "DONE:\n    ret mov;", "operand-count"),
    "comma between digits": ("mov.b32 inner, 7;", "mov.b32 inner7;", "operand-count"),
    "store to a parameter by mistake": ("ld.param.u32 %r1", "st.param.u32 %r1", "operand-kind"),
    "size beyond all numbers": (
        ".reg .b16 %h<4>",
        ".reg .b16 %h<99999999999999999999999>",
        "syntax-error",
    ),
    "list without its label": ("    bar.sync 0;", "    .branchtargets NONE;", "directive-value"),
    "head broken elsewhere": ("(.param .b32 value)", "(.param .b32 value.param)", None),
    "function within a function": (
        "    bar.sync 0;",
        "    .func inner_function() { ret; }\n    bar.sync 0;",
        "unbalanced-brace",
    ),
    "brace before a declaration": (
        ".global .align 4",
        "{ .global .align 4",
        "misplaced-instruction",
    ),
    "directives of the module behind a body": (
        "DONE:\n    ret;\n}",
        'DONE:\n    ret;\n.file 1 "a.cu"\n.file 2 "b.cu"\n',
        "misplaced-directive",
    ),
    "header behind a head": (
        ".maxntid 128, 1, 1\n",
        ".maxntid 128, 1, 1\n.address_size 64\n",
        "misplaced-directive",
    ),
    "opcode without these modifiers": ("cvta.to.global.u64", "sad.to.global.u64", None),
    "opcode with many modifiers": ("DONE:\n    ret;", "DONE:\n    tex;", "missing-modifier"),
    "modifier of another kind": ("setp.ge.u32", "setp.s32.u32", "illegal-modifier"),
    "modifier of the ending": ("setp.ge.u32", "setp.ge.ge", "illegal-modifier"),
    "type of predicates": (".reg .pred %p<3>", ".reg .s8 %p<3>", None),
    "type of a register in a block": (".reg .b32 inner", ".reg .f32 inner", "operand-type"),
    "space of an argument": (".param .b32 argument;", ".const .b32 argument;", "state-space"),
    "location without a comma": (
        "    bar.sync 0;",
        """    .loc 1 2 3
    .loc 1 9 1 function_name name, inlined_at 1 2 3
    .loc 1 8 1, function_name name, inlined_at 1 9 1
""",
        "syntax-error",
    ),
    "comma before a line of an address": (
        "ld.global.f32 %f1, [%rd4]",
        "ld.global.b32 inner2\n [%rd4]",
        "operand-count",
    ),
    "registers under another name": (
        ".reg .b64 %rd<6>",
        ".reg .b64 %r<6>",
        "duplicate-declaration",
    ),
    "initial value where none may be": (".b8 tile[256];", ".b8 tile[256] = {1.5};", None),
    "type of two names": (".reg .b32 inner", ".reg .bf16 inner, outer", "invalid-declaration"),
    "space of predicates": (".reg .pred %p<3>", ".shared .pred %p<3>", "invalid-declaration"),
    "head of a kernel": (".visible .entry kernel(\n", "", "invalid-declaration"),
    "a mark for a brace": ("%f4;\n    {", "%f4;\n    ,", "syntax-error"),
    "a mark for a closing brace": ("inner;\n    }", "inner;\n    ]", "syntax-error"),
    "semicolon in a vector": ("{%f2, %f3}", "{%f2; %f3}", "syntax-error"),
    "type of a number": ("setp.ge.u32 %p1, %r2, %r1", "setp.ge.f16 %p1, %r2, 0", "operand-type"),
    "vector of a newer target": ("ld.global.v2.f32", "ld.global.v8.f32", "vector-size"),
    "location misspelled": (
        "    bar.sync 0;",
        """    .oc 1 9 1
    .loc 1 8 1, function_name name, inlined_at 1 9 1
""",
        "unknown-directive",
    ),
    "opening of a range": (".reg .b16 %h<4>;", ".reg .b16 h4>; mov.b16 h0, 1;", "syntax-error"),
    "instruction cut short": ("mul.wide.u32 %rd3, %r2", "mul.wide.u32 %rd3; %r2", "syntax-error"),
    "modifiers cut short": ("add.s64 %rd4", "add; %rd4", "syntax-error"),
    "registers in memory": (".reg .b64 %rd<6>", ".shared .b64 %rd<6>", "operand-kind"),
    "names of one declaration": (
        ".reg .b32 inner;\n",
        ".const .b32 inner, two; mov.b32 two, 1; mov.b32 two, 2;\n",
        "operand-kind",
    ),
    "register beyond the range, of another size": (
        "%rd4, %rd2,",
        "%rd4, %r12,",
        "undeclared-register",
    ),
    "name behind a pointer": (".param .u64 input", ".param .u64 .ptr .align 8", "syntax-error"),
    "component of an address": ("[%rd4], %r6", "[%tid.x+4], %r6", "operand-kind"),
    "header between a head and its body": (
        ".b32 value)\n{",
        ".b32 value)\n.address_size 64\n{",
        "module-header",
    ),
    "call of another function": ("call (answer), helper", "call helper", "call-arguments"),
    "type of the source": ("cvt.rzi.s32.f32", "cvt.rzi.f64.f32", None),
    "block that ends early": ("inner, 7;\n", "inner, 7};\n", "syntax-error"),
    "version of never": (".version 8.0", ".version 0.0", "unknown-version"),
    "version of long ago": (".version 8.0", ".version 1.0", "unsupported-version"),
    "target of no number": ("sm_90", "sm_00", "unknown-target"),
}
"""Where a second rule may do as well, None stands for the rule."""


def check_mistake(text: str, replacement: str, rule: str | None) -> None:
    """Fails unless the replacement draws one error, of that rule if one is named."""
    assert text in MODULE
    document = Document.read(MODULE.replace(text, replacement, 1))
    errors = [found for found in lint(document) if found.severity is Severity.ERROR]
    shown = [(found.range.start.line + 1, found.rule, found.message) for found in errors]
    assert len(errors) == 1, shown
    assert rule in (None, errors[0].rule), shown


def test_module_is_in_order() -> None:
    assert lint(Document.read(MODULE)) == []


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda name: name.replace(" ", "-"))
def test_one_mistake_one_error(mistake: str) -> None:
    check_mistake(*MISTAKES[mistake])


def test_the_number_of_a_name_may_belong_to_its_size() -> None:
    text = MODULE.replace("tile", "tile1").replace("tile1[256]", "tile1256]")
    assert [found.rule for found in lint(Document.read(text))] == ["syntax-error"]


def test_several_mistakes_are_several_errors() -> None:
    text = MODULE.replace("mul.wide", "mull.wide").replace("bra DONE", "bra DOEN")
    text = text.replace("fma.rn.f32 %f4, %f1", "fma.rn.f32 %f4, %p1").replace("sm_90", "sm_xx")
    rules = {found.rule for found in lint(Document.read(text)) if found.severity is Severity.ERROR}
    assert rules == {"unknown-opcode", "undeclared-label", "operand-type", "unknown-target"}


def test_uses_are_counted() -> None:
    text = MODULE.replace("    .shared .align 16 .b8 tile[256];\n", "")
    text = text.replace("bar.sync 0;", "ld.shared.u32 %r1, [tile + 4];\n")
    (found,) = lint(Document.read(text))
    assert found.message == "undeclared symbol `tile` (1 more use)"
    assert [related.message for related in found.related] == ["also used here"]


def test_registers_of_a_bank_are_told_together() -> None:
    (found,) = lint(Document.read(MODULE.replace("    .reg .b64 %rd<6>;\n", "")))
    assert found.message.endswith("(also `%rd2`, `%rd3` and `%rd4`; 10 uses)")


def test_a_broken_declaration_elsewhere_is_told_once() -> None:
    text = MODULE.replace(".global .align 4", ".globl .align 4")
    text = text.replace("bar.sync 0;", "ld.global.u32 %r1, [table];")
    assert [found.rule for found in lint(Document.read(text))] == ["unknown-directive"]


def test_special_registers_are_told_one_by_one() -> None:
    stores = "".join(f"st.shared.u32 [tile], %ntid.{part};\n" for part in "xyz")
    found = lint(Document.read(MODULE.replace("    bar.sync 0;\n", stores)))
    assert [diagnostic.rule for diagnostic in found] == ["operand-kind"] * 3
