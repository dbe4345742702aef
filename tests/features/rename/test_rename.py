"""Renaming: what is changed, what is refused and why, and that nothing means anything else then."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.rename import rename
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.references.occurrences import occurrences
from ptx_ls.source import Position
from tests.support.fixture import parse_fixture
from tests.support.lint import diagnostics

CORPUS = Path(__file__).parents[2] / "corpus" / "handwritten"
KERNEL = ".entry k(.param .u64 p) {{\n{}\n}}\n"


def renamed(document: Document, position: Position, new: str) -> str:
    """The text after a renaming; raises the refusal."""
    analysis = Analysis(document)
    asked = rename.prepare(analysis, position)
    assert asked is not None
    places = list(occurrences(analysis, asked.wanted.declared, asked.name))
    rename.check(analysis, asked, new, sorted({*places, asked.wanted.declared.range}))
    places = sorted({*places, asked.wanted.declared.range})
    edits = list(rename.replacements(analysis, asked, new, places))
    result = Document.read(document.text)
    for edit in sorted(edits, key=lambda edit: edit.range, reverse=True):
        result = edited(result, *edit.range, edit.text)
    return result.text


def check_rename(marked: str, new: str, expected: str) -> None:
    """The text after what is at `<|>` was renamed."""
    fixture = parse_fixture(marked)
    assert renamed(Document.read(fixture.text), fixture.cursor, new) == expected


def check_refused(marked: str, new: str, reason: str) -> None:
    """Why what is at `<|>` cannot be called so."""
    fixture = parse_fixture(marked)
    with pytest.raises(rename.RefusalError) as caught:
        renamed(Document.read(fixture.text), fixture.cursor, new)
    assert reason in str(caught.value)


def check_body(body: str, new: str, expected: str) -> None:
    """As `check_rename`, in a kernel."""
    check_rename(KERNEL.format(body), new, KERNEL.format(expected))


def test_a_label_that_has_the_name_of_its_function() -> None:
    text = ".entry same() { same: bra same; }\n"
    check_rename(text.replace("same:", "<|>same:"), "x", ".entry same() { x: bra x; }\n")
    check_rename(text.replace("same()", "<|>same()"), "x", ".entry x() { same: bra same; }\n")


def test_a_register_that_takes_the_name_of_a_parameter() -> None:
    text = """.entry k(.param .b32 p0) {
.reg .b32 %r1;
ld.param.b32 %r1, [p0];
.reg .b32 p<9>;
mov.b32 p0, p1;
}
"""
    own = text.replace("p<9>;", "p<9>;\n.reg .b32 x;").replace("mov.b32 p0", "mov.b32 x")
    check_rename(text.replace("mov.b32 p0", "mov.b32 <|>p0"), "x", own)
    parameter = text.replace(".b32 p0)", ".b32 x)").replace("[p0]", "[x]")
    for there in (".b32 <|>p0)", "[<|>p0]"):
        check_rename(text.replace(there.replace("<|>", ""), there), "x", parameter)


def test_a_register() -> None:
    check_body(
        ".reg .b32 a, ab;\nmov.u32 <|>a, 1; // a\n@p add.u32 ab, a, a.x; "
        "{ .reg .b32 a; mov.u32 a, 1; }",
        "%sum",
        ".reg .b32 %sum, ab;\nmov.u32 %sum, 1; // a\n@p add.u32 ab, %sum, %sum.x; "
        "{ .reg .b32 a; mov.u32 a, 1; }",
    )


def test_a_range_with_all_of_its_registers() -> None:
    check_body(
        ".reg .b32 <|>%r<9>;\n.reg .b64 %rd<9>;\nmov.b64 %rd1, {%r1, %r8};\nmov.u32 %r0, %r9;",
        "%x",
        ".reg .b32 %x<9>;\n.reg .b64 %rd<9>;\nmov.b64 %rd1, {%x1, %x8};\nmov.u32 %x0, %r9;",
    )


def test_a_register_with_the_name_that_a_range_begins_with() -> None:
    for body in (
        ".reg .pred <|>a, a<9>; mov.pred a, a0;",
        ".reg .pred <|>a, a<9>; { mov.pred a, a0; }",
    ):
        check_body(body, "q", body.replace("<|>a,", "q,").replace(" a, a0", " q, a0"))


def test_one_register_of_a_range_is_declared_by_itself() -> None:
    check_body(
        "\t.reg .v2 .f32 \t%f<9>;\n\tmov.v2.f32 %f1, %f2;\n\tmov.v2.f32 %f12, %f<|>1;",
        "sum",
        "\t.reg .v2 .f32 \t%f<9>;\n\t.reg .v2 .f32 sum;\n"
        "\tmov.v2.f32 sum, %f2;\n\tmov.v2.f32 %f12, sum;",
    )
    check_body(
        ".reg .b32 %r<2>; .reg .pred %p<2>; mov.u32 <|>%r1, 1;",
        "%r2",
        ".reg .b32 %r<2>; .reg .b32 %r2; .reg .pred %p<2>; mov.u32 %r2, 1;",
    )


def test_a_register_goes_back_to_its_range() -> None:
    body = "\t.reg .f32 \t%f<9>;\n\t.reg .f32 {0};\n\tmov.f32 {0}, %f2;\n\tneg.f32 %f3, {0};"
    back = "\t.reg .f32 \t%f<9>;\n\tmov.f32 %f1, %f2;\n\tneg.f32 %f3, %f1;"
    check_body(body.format("sum").replace("mov.f32 ", "mov.f32 <|>"), "%f1", back)
    check_body(
        ".reg .b32 %r<2>, a, <|>b, c; mov.u32 b, 1;",
        "%r1",
        ".reg .b32 %r<2>, a, c; mov.u32 %r1, 1;",
    )
    check_body(
        ".reg .b32 %r<2>; .reg .b32 a, // first\n b; .reg .b32 c,\n d; mov.u32 <|>c, 1;",
        "%r0",
        ".reg .b32 %r<2>; .reg .b32 a, // first\n b; .reg .b32 d; mov.u32 %r0, 1;",
    )
    check_body(
        ".reg .b32 %r<2>; .reg .b32 c; mov.u32 <|>c, 1;", "%r0", ".reg .b32 %r<2>; mov.u32 %r0, 1;"
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (".reg .b32 %r<9>, <|>a;\nmov.u32 a, 1;\nmov.u32 %r1, 2;", "line 4 uses `%r1`"),
        (".reg .b32 <|>a, %r<9>;", "`%r<9>` is declared in the same scope"),
        (".reg .b32 %r<9>; .reg .s32 <|>a;", "declared in the same scope"),
        (
            ".reg .b32 %r<9>; .reg .b32 <|>a; { .reg .b32 %r1; mov.u32 a, 1; }",
            "would hide the new name",
        ),
    ],
)
def test_a_register_that_cannot_go_back(body: str, reason: str) -> None:
    check_refused(KERNEL.format(body), "%r1", reason)


def test_a_label_with_lists_and_debug_data() -> None:
    text = "T: .branchtargets {0}, B;\n@q bra {0};\nbrx.idx %r1, T;\n{0}: B: ret;\n}}\n"
    text = ".entry k() {{\n" + text + ".section .debug_info {{\n.b64 {0}\n.b64 {0}-B\n}}\n"
    check_rename(
        text.format("$L__tmp1").replace("$L__tmp1:", "$L<|>__tmp1:"), "$end", text.format("$end")
    )


@pytest.mark.parametrize(("old", "new"), [("$name", "plain"), ("plain", "%p"), ("L1", "_l")])
def test_a_label_of_debug_data(old: str, new: str) -> None:
    text = (
        '.file 1 "a.cu"\n.entry k() {{\n.loc 1 2 3, function_name {0}+1, inlined_at 1 1 1\n}}\n'
        ".section .debug_str {{\n{0}:\n.b8 0\n}}\n.section .debug_info {{\n.b64 {0}\n}}\n"
    )
    for number in range(3):
        marked = "{0}".join(text.split("{0}")[: number + 1]) + "<|>{0}"
        marked += "{0}".join(text.split("{0}")[number + 1 :])
        check_rename(marked.format(old), new, text.format(new))


def test_a_function_with_aliases_prototypes_and_debug_data() -> None:
    text = (
        ".func {0}(.param .b32 x);\n.func g(.param .b32 x);\n"
        ".func {0}(.param .b32 x) {{ ret; }}\n.alias g, {0};\n"
        '.entry k() {{\n.pragma "f";\nt: .calltargets {0};\n'
        "call {0}, (%r1);\nmov.u64 %rd1, {0};\n}}\n"
        ".section .debug_info {{\n.b64 {0}\n}}\n.global .u64 table[1] = {{ {0} }};\n"
    )
    check_rename(
        text.format("f").replace("mov.u64 %rd1, f", "mov.u64 %rd1, <|>f"), "foo", text.format("foo")
    )


def test_parameters_variables_and_lists() -> None:
    check_rename(
        ".entry k(.param .u64 p) { ld.param.u64 %rd1, [<|>p+0]; }\n.entry l(.param .u64 p) {}\n",
        "in",
        ".entry k(.param .u64 in) { ld.param.u64 %rd1, [in+0]; }\n.entry l(.param .u64 p) {}\n",
    )
    check_rename(
        ".global .u32 v; .global .u64 w = generic(v)+4;\n.entry k() { ld.u32 %r1, [v]; }\n"
        ".entry l() { .reg .b32 v; mov.u32 v, %v; }\n".replace("[v]", "[<|>v]"),
        "flag",
        ".global .u32 flag; .global .u64 w = generic(flag)+4;\n.entry k() { ld.u32 %r1, [flag]; }\n"
        ".entry l() { .reg .b32 v; mov.u32 v, %v; }\n",
    )
    check_body(
        "t: .branchtargets A;\nbrx.idx %r1, <|>t; A:",
        "u",
        "u: .branchtargets A;\nbrx.idx %r1, u; A:",
    )


def test_what_is_an_opcode_elsewhere() -> None:
    check_body(".reg .b32 add;\nadd.u32 <|>add, add, %x;", "x", ".reg .b32 x;\nadd.u32 x, x, %x;")


@pytest.mark.parametrize("new", ["1a", "a b", "", "%", "a.b", "$", "é", "a-b", "%r<5>"])
def test_no_identifier(new: str) -> None:
    check_refused(KERNEL.format(".reg .b32 <|>a;"), new, "is not an identifier")


@pytest.mark.parametrize("new", ["WARP_SZ", "_", "%tid", "%clock64", "inlined_at"])
def test_reserved_names(new: str) -> None:
    check_refused(KERNEL.format(".reg .b32 <|>a;"), new, "`")


def test_what_has_no_name_of_the_user() -> None:
    check_refused(KERNEL.format("mov.u32 %r1, %t<|>id.x;"), "a", "special register")
    check_refused(KERNEL.format("mo<|>v.u32 %r1, 1;"), "a", "a PTX keyword")
    check_refused(KERNEL.format("mov.u<|>32 %r1, 1;"), "a", "a PTX keyword")
    check_refused(".tar<|>get sm_90\n", "a", "a PTX keyword")
    check_refused(KERNEL.format("mov.u32 %r<|>1, 1;"), "a", "not declared")
    check_refused(".func f(.param .b32 <|>x);\n", "a", "nothing refers to")
    for marked in ("<|>", "mov.u32 %r1, 1<|>2;", '.file 1 "a<|>"', "// a<|>b"):
        fixture = parse_fixture(KERNEL.format(marked))
        assert rename.prepare(Analysis(Document.read(fixture.text)), fixture.cursor) is None


def test_names_that_are_taken() -> None:
    check_refused(KERNEL.format(".reg .b32 <|>a, b;"), "b", "in the same scope, on line 2")
    check_refused(KERNEL.format(".reg .b32 <|>a;"), "p", "in the same scope, on line 1")
    check_refused(KERNEL.format(".reg .b32 <|>a;\nL: ret;"), "L", "in the same scope, on line 3")
    check_refused(KERNEL.format(".reg .b32 <|>a, %r<5>;"), "%r4", "in the same scope")
    check_refused(KERNEL.format(".reg .b32 %r<5>;\nmov.u32 <|>%r1, 2;"), "%r2", "same scope")
    check_refused(KERNEL.format(".reg .b32 <|>%r<5>, %x4;"), "%x", "`%x4` is declared in the same")
    check_refused(KERNEL.format(".reg .b32 <|>%r<50>, %x1<5>;"), "%x", "`%x1<5>` is declared")
    check_refused(KERNEL.format(".reg .b32 <|>%r<5>;"), "%r1", "cannot end with a digit")
    check_refused(".global .u32 <|>v;\n.func f();\n", "f", "the module declares `f` on line 2")


def test_names_that_are_free() -> None:
    check_body(".reg .b32 <|>a, %r<5>;", "%r5", ".reg .b32 %r5, %r<5>;")
    check_body(".reg .b32 <|>%r<5>, %x5;", "%x", ".reg .b32 %x<5>, %x5;")
    check_body(".reg .b32 <|>a; { .reg .b32 b; }", "b", ".reg .b32 b; { .reg .b32 b; }")
    check_rename(
        ".global .u32 v;\n.entry k() { <|>L: ret; }", "v", ".global .u32 v;\n.entry k() { v: ret; }"
    )
    check_rename(".entry <|>k() { L: bra L; }", "L", ".entry L() { L: bra L; }")


def test_names_that_would_mean_something_else() -> None:
    check_refused(
        KERNEL.format(".reg .b32 <|>a;\n{ .reg .b32 b; mov.u32 b, a; }"),
        "b",
        "would hide the new name on line 3",
    )
    check_refused(
        KERNEL.format(".reg .b32 b;\n{ .reg .b32 <|>a; mov.u32 a, b; }"),
        "b",
        "the new name would hide `b`",
    )
    check_refused(
        ".global .u32 v;\n.entry k() { .reg .b32 <|>a; ld.u32 a, [v]; }",
        "v",
        "the new name would hide `v`",
    )
    check_refused(
        ".global .u32 <|>v;\n.entry k() { .reg .b32 a; ld.u32 a, [v]; }",
        "a",
        "would hide the new name on line 2",
    )
    check_refused(
        ".func <|>f() {\n.reg .b32 a;\ncall f; }", "a", "would hide the new name on line 3"
    )


def test_a_label_of_a_range() -> None:
    check_refused(
        KERNEL.format("t: .branchtargets L<2>;\nbrx.idx %r1, t;\nL0: <|>L1: ret;"), "M", "line 2"
    )


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (".visible .entry <|>k() {}", "`.visible`"),
        (".extern .func <|>f();", "`.extern`"),
        (".weak .global .u32 <|>v;", "`.weak`"),
        (".entry <|>k() {}", "kernel"),
        (".func <|>f() {}", ""),
        (".visible .entry k() { <|>L: }", ""),
    ],
)
def test_what_others_may_use_is_confirmed(text: str, part: str) -> None:
    fixture = parse_fixture(text)
    asked = rename.prepare(Analysis(Document.read(fixture.text)), fixture.cursor)
    assert asked is not None
    warning = rename.needs_confirmation(asked)
    assert part in warning
    assert bool(warning) == bool(part)


def is_of_a_range(name: str, text: str) -> bool:
    """Whether a range `p<9>` declares the name again, which nothing can be renamed to."""
    prefix = name.rstrip("0123456789")
    return prefix != name and re.search(rf"(?<![\w$%]){re.escape(prefix)}<", text) is not None


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_renaming_changes_no_meaning(data: st.DataObject) -> None:
    """The errors of a file stay the same, and renaming back gives the old text."""
    path = data.draw(st.sampled_from(sorted(CORPUS.glob("*.ptx"))))
    document = Document.read(path.read_text(encoding="utf-8"))
    analysis = Analysis(document)
    places = [
        Position(line, column)
        for line, text in enumerate(document.lines)
        for column, letter in enumerate(text)
        if letter in "%$_" or letter.isalpha()
    ]
    position = data.draw(st.sampled_from(places))
    try:
        asked = rename.prepare(analysis, position)
        if asked is None:
            return
        new = "%new_name" if asked.name[0] == "%" else "new_name"
        text = renamed(document, position, new)
    except rename.RefusalError:
        return
    before, after = diagnostics(document.text), diagnostics(text)
    assert sorted(it.rule for it in before) == sorted(it.rule for it in after)
    if not asked.wanted.declared.symbol.count and not is_of_a_range(asked.name, document.text):
        declared = asked.wanted.declared
        line, column = declared.range.start
        n_before = sum(
            place.start.line == line and place.start.column < column
            for place in set(occurrences(analysis, declared, asked.name))
        )
        moved = Position(line, column + n_before * (len(new) - len(asked.name)))
        if analysis.special_register(asked.name) is not None:  # declared, but not to be chosen
            with pytest.raises(rename.RefusalError, match="is a special register"):
                renamed(Document.read(text), moved, asked.name)
        else:
            assert renamed(Document.read(text), moved, asked.name) == document.text
