"""Go to definition, declaration, type definition and implementation."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.navigation import goto
from ptx_ls.features.navigation.goto_label import label_at, label_links
from ptx_ls.features.navigation.goto_source import source_place
from ptx_ls.semantics.analysis import Analysis
from tests.support.fixture import parse_fixture

HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n"
CALLS = """
.func (.param .b32 r) f(.param .b32 x);
.func g(.param .b32 x);
.extern .global .u32 flag;
.func (.param .b32 r) f(.param .b32 x) { ret; }
.func h(.param .b32 x) { ret; }
.alias g, h;
.global .u32 table[4];
.entry k(.param .u64 p) {
    .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;
    .shared .align 4 .b8 tile[64];
    proto: .callprototype _ (.param .b32 _);
    list: .calltargets f, h;
    BODY
}
"""


def check_goto(feature: str, statement: str, *expected: str) -> None:
    """Lines that `feature` leads to from `<|>`, with the name there in `«»`."""
    fixture = parse_fixture(HEAD + CALLS.replace("BODY", statement))
    document = Document.read(fixture.text)
    found = getattr(goto, feature)(Analysis(document), fixture.cursor)
    shown = []
    for link in found:
        start, end = link.selection
        line = document.lines[start.line].rstrip("\n")
        shown.append(
            f"{line[: start.column]}«{line[start.column : end.column]}»{line[end.column :]}"
        )
        assert link.target.start <= start <= end <= link.target.end
        assert link.origin.start <= fixture.cursor <= link.origin.end
    assert [each.strip() for each in shown] == list(expected)


def test_a_register_is_defined_by_what_reaches_it() -> None:
    check_goto(
        "definition",
        "mov.u32 %r1, 1;\n@%p1 add.u32 %r1, %r1, 2;\nst.shared.u32 [tile], %r<|>1;",
        "mov.u32 «%r1», 1;",
        "@%p1 add.u32 «%r1», %r1, 2;",
    )
    check_goto(
        "definition",
        "mov.b64 {%r1, %r2}, %rd1;\nadd.u32 %r3, <|>%r2, 1;",
        "mov.b64 {%r1, «%r2»}, %rd1;",
    )
    check_goto(
        "definition",
        "setp.eq.u32 %p1|%p2, %r1, 0;\n@!<|>%p2 ret;",
        "setp.eq.u32 %p1|«%p2», %r1, 0;",
    )


def test_a_register_that_nothing_reaches_is_defined_where_it_is_declared() -> None:
    line = ".reg .b32 «%r»<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;"
    check_goto("definition", "mov.u32 %r2, <|>%r1;", line)
    check_goto("definition", "mov.u32 %r1, 1;\nmov.u32 <|>%r1, 2;", line)
    check_goto("definition", "mov.u32 %r1, 1;\nmov.u32 %r2, <|>%r1", "mov.u32 «%r1», 1;")


def test_other_names_are_defined_where_they_are_declared() -> None:
    check_goto("definition", "bra <|>L;\nL: ret;", "«L»: ret;")
    check_goto("definition", "mov.u32 %r1, ti<|>le;", ".shared .align 4 .b8 «tile»[64];")
    check_goto("definition", "ld.param.u64 %rd1, [<|>p];", ".entry k(.param .u64 «p») {")
    check_goto(
        "definition",
        "call (%r1), <|>f, (%r2);",
        ".func (.param .b32 r) «f»(.param .b32 x) { ret; }",
    )
    check_goto("definition", "call %rd1, (%r1), <|>list;", "«list»: .calltargets f, h;")


def test_declarations() -> None:
    check_goto(
        "declaration",
        "mov.u32 %r1, 1;\nmov.u32 %r2, <|>%r1;",
        ".reg .b32 «%r»<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;",
    )
    check_goto(
        "declaration", "call (%r1), <|>f, (%r2);", ".func (.param .b32 r) «f»(.param .b32 x);"
    )
    check_goto("declaration", "ld.global.u32 %r1, [<|>flag];", ".extern .global .u32 «flag»;")
    check_goto("declaration", "call <|>h, (%r1);", ".func «h»(.param .b32 x) { ret; }")


def test_type_definitions() -> None:
    check_goto(
        "type_definition",
        "mov.u32 %r1, 1;\nmov.u32 %r2, <|>%r1;",
        ".reg .b32 «%r»<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;",
    )
    prototype = "«proto»: .callprototype _ (.param .b32 _);"
    check_goto("type_definition", "ca<|>ll %rd1, (%r1), proto;", prototype)
    check_goto("type_definition", "call <|>%rd1, (%r1), proto;", prototype)
    check_goto("type_definition", "call %rd1, (%r1), pro<|>to;", prototype)
    check_goto(
        "type_definition",
        "call %rd1, (<|>%r1), proto;",
        ".reg .b32 «%r»<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;",
    )
    check_goto("type_definition", "mov.u64 %rd1, <|>table;", ".global .u32 «table»[4];")
    check_goto("type_definition", "bra <|>L; L:")


def test_implementations() -> None:
    check_goto(
        "implementation",
        "call (%r1), <|>f, (%r2);",
        ".func (.param .b32 r) «f»(.param .b32 x) { ret; }",
    )
    check_goto("implementation", "call <|>g, (%r2);", ".func «h»(.param .b32 x) { ret; }")
    check_goto(
        "implementation",
        "call %rd1, (%r1), <|>list;",
        ".func (.param .b32 r) «f»(.param .b32 x) { ret; }",
        ".func «h»(.param .b32 x) { ret; }",
    )
    check_goto("implementation", "ld.global.u32 %r1, [<|>flag];")
    check_goto("implementation", "mov.u32 %r2, <|>%r1;")


def test_a_parameter_in_a_register_may_reach() -> None:
    marked = ".func f(.reg .b32 a) { @a add.u32 a, a, 1; add.u32 a, <|>a, 1; }"
    fixture = parse_fixture(marked)
    found = goto.definition(Analysis(Document.read(fixture.text)), fixture.cursor)
    assert [link.selection.start.column for link in found] == [18, 34]


@pytest.mark.parametrize("feature", ["definition", "declaration", "implementation"])
@pytest.mark.parametrize(
    "statement", ["a<|>dd.u32 %r1, %r2, %r3;", "mov.u32 %r1, %tid<|>.x;", "<|>"]
)
def test_nowhere_to_go(feature: str, statement: str) -> None:
    check_goto(feature, statement)


def check_source(marked: str, expected: tuple[str, int, int] | None) -> None:
    """The file, line and column (from 0) that a place in the source is."""
    fixture = parse_fixture('.file 1 "a/k.cu"\n.file 2 "/b/h.cuh", 12, 34\n' + marked)
    found = source_place(Analysis(Document.read(fixture.text)), fixture.cursor)
    assert ((found.name, found.line, found.column) if found else None) == expected
    if found is not None and ".loc" in marked:
        assert found.directive is not None


def test_source_places() -> None:
    check_source(".entry k() {\n.l<|>oc 1 37 5\nret;}", ("a/k.cu", 36, 4))
    check_source(".entry k() {\n.loc 1 37<|> 5\nret;}", ("a/k.cu", 36, 4))
    inlined = ".loc 2 7 1, function_name $L, inlined_at 1 8 3\n"
    check_source(inlined.replace("8", "<|>8"), ("a/k.cu", 7, 2))
    check_source(inlined.replace("7", "<|>7"), ("/b/h.cuh", 6, 0))
    check_source(inlined.replace("inlined", "<|>inlined"), ("a/k.cu", 7, 2))
    check_source('.file 3 "<|>c.cu"\n', ("c.cu", 0, 0))
    check_source(".loc 0<|> 0 0\n", None)
    check_source(".loc 9 1<|> 1\n", None)
    check_source(".loc <|>\n", None)
    check_source(".version 8<|>.5\n", None)


def check_label(marked: str, *expected: tuple[int, int]) -> None:
    """Where labels are that debug data names under the cursor."""
    fixture = parse_fixture(HEAD + marked)
    analysis = Analysis(Document.read(fixture.text))
    name = label_at(analysis, fixture.cursor)
    found = label_links(analysis, fixture.cursor) if name else []
    assert [(it.selection.start.line, it.selection.start.column) for it in found] == list(expected)
    assert all(it.origin.start <= fixture.cursor <= it.origin.end for it in found)


DEBUG = """\
.func f() {
$L__begin0:
\tmov.b32 %r1, 1; // $L__begin0: is above
L1: ret;
}
.func g() {
{ L1: ret; }
}
.section .debug_info {
.b64 BODY
}
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("$L__be<|>gin0", [(4, 0)]),
        ("<|>$L__begin0+4", [(4, 0)]),
        ("<|>L1", [(6, 0), (9, 2)]),
        ("<|>f", []),  # the module's own, found at once
        ("<|>unknown", []),
        ("<|>12", []),
    ],
)
def test_labels_that_debug_data_names(name: str, expected: list[tuple[int, int]]) -> None:
    check_label(DEBUG.replace("BODY", name), *expected)
    check_label(DEBUG.replace("BODY", "1").replace("ret", "<|>ret", 1))
