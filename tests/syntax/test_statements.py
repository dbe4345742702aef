"""Cutting: where statements begin and end, and what is recovered when a terminator is missing."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.statements import statement_at, statements_on
from ptx_ls.source import Position
from ptx_ls.syntax.record import MultiLine
from ptx_ls.syntax.statement import Statement


def check_statements(text: str, *expected: str) -> Document:
    """The statements of a text, white space folded, whichever line they are asked from."""
    document = Document.read(text)
    assert cut(document) == list(expected)
    for statement in statements(document):
        middle = Position(statement.start.line, statement.start.column + 1)
        if middle < statement.end:
            assert statement_at(document, middle) == statement
    return document


def statements(document: Document) -> list[Statement]:
    """All statements of a document in order, each once."""
    found = []
    line = 0
    while line < len(document.lines):
        found += list(statements_on(document, line))
        line = max(line + 1, document.run_at(line).stop)
    return found


def cut(document: Document) -> list[str]:
    """Their texts on one line each."""
    return [" ".join(statement.text.split()) for statement in statements(document)]


def problems(text: str) -> list[tuple[int, int, str]]:
    """Line, column and what was found of every syntax problem of a document."""
    document = Document.read(text)
    found = []
    seen: set[int] = set()
    for line, record in enumerate(document.records):
        if id(record) in seen and isinstance(record, MultiLine):
            continue
        seen.add(id(record))
        for problem in record.problems:
            row, column = problem.start
            found.append((line + row, column, problem.found))
    return found


def test_one_statement_a_line() -> None:
    check_statements("ret;\n\n  exit;\n// c\n", "ret;", "exit;")


def test_several_statements_on_a_line() -> None:
    check_statements(
        "{ .reg .b32 t; mov.b32 t, %r1; } L: ret; // c\n",
        "{",
        ".reg .b32 t;",
        "mov.b32 t, %r1;",
        "}",
        "L:",
        "ret;",
    )


def test_statement_over_lines() -> None:
    check_statements(
        "add.u32 // a\n %r1,\n\n /* b */ %r2,\n 3;\nret;",
        "add.u32 // a %r1, /* b */ %r2, 3;",
        "ret;",
    )
    check_statements(
        ".visible .entry k(\n .param .u64 a,\n .param .u32 b\n)\n.maxntid 32\n{\nret;\n}\n",
        ".visible .entry k( .param .u64 a, .param .u32 b ) .maxntid 32 {",
        "ret;",
        "}",
    )


@pytest.mark.parametrize("label", ["L:", "$L__BB0_1:", "L :", "%l:", "L: // c", "a: b:"])
def test_labels_anywhere(label: str) -> None:
    document = Document.read(f"{label}\n")
    assert all(text.endswith(":") for text in cut(document))
    assert problems(f".entry k() {{\n{label}\nadd.u32 %r1, %r2, 3;\n{label} ret;\n}}\n") == []


def test_label_before_a_list_of_targets() -> None:
    check_statements("t: .branchtargets A, B;\n", "t:", ".branchtargets A, B;")
    check_statements(
        "p: .callprototype _ (.param .b32 _);", "p:", ".callprototype _ (.param .b32 _);"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add.u32 %r1, %r2, 3\nret;", ["add.u32 %r1, %r2, 3", "ret;"]),
        ("add.u32 %r1, %r2, 3 ret;", ["add.u32 %r1, %r2, 3 ret;"]),
        ("add.u32 %r1, %r2, 3 mov.u32 %r1, 2;", ["add.u32 %r1, %r2, 3", "mov.u32 %r1, 2;"]),
        ("add.u32 %r1, %r2, 3\n@%p bra L;", ["add.u32 %r1, %r2, 3", "@%p bra L;"]),
        ("@!%p\n{ ret; }", ["@!%p", "{", "ret;", "}"]),
        ("add.u32 %r1, %r2, 3\nL:\nret;", ["add.u32 %r1, %r2, 3", "L:", "ret;"]),
        ("add.u32 %r1, %r2, 3\n}\n", ["add.u32 %r1, %r2, 3", "}"]),
        ("ret\n.reg .b32 a;", ["ret", ".reg .b32 a;"]),
        (".reg .b32 a\n.reg .b32 b;", [".reg .b32 a", ".reg .b32 b;"]),
        (".global .u32 a\n.entry k() {", [".global .u32 a", ".entry k() {"]),
        (
            ".version 8.5 .target sm_90 .address_size 64",
            [".version 8.5", ".target sm_90", ".address_size 64"],
        ),
        (".target sm_90,\n debug\n.address_size 64", [".target sm_90, debug", ".address_size 64"]),
        ('.pragma "a"\nret;', ['.pragma "a"', "ret;"]),
        (".loc 1 2 3 ret;", [".loc 1 2 3", "ret;"]),
        (".loc 1 2\n3\nret;", [".loc 1 2 3", "ret;"]),
        ("mov.u32 %r1,\nret;", ["mov.u32 %r1,", "ret;"]),
        ("mov.u32 %r1,\nretained;", ["mov.u32 %r1, retained;"]),
        ("mov.b64 {%r1,\nret;", ["mov.b64 {%r1,", "ret;"]),
        ("ld.u32 %r1, [\nret;", ["ld.u32 %r1, [", "ret;"]),
        ("vote\nret;", ["vote", "ret;"]),
        ("ld\ncall (a), f;", ["ld", "call (a), f;"]),
        ("ld.u32 %r1, [\nbra L;", ["ld.u32 %r1, [", "bra L;"]),
        ("ld.u32 %r1, [\nL: ret;", ["ld.u32 %r1, [", "L:", "ret;"]),
        ("bra\nL;", ["bra L;"]),
        ("mov.u32\n%r1, L;", ["mov.u32 %r1, L;"]),
        ("@\nadd.u32 %r1, %r2, 3;", ["@", "add.u32 %r1, %r2, 3;"]),
        ("@!\nbra L;", ["@!", "bra L;"]),
        ("@!\n@%p1 bra L;", ["@!", "@%p1 bra L;"]),
        ("@%p1\nbra L;", ["@%p1 bra L;"]),
        ("@%p1\nL: ret;", ["@%p1", "L:", "ret;"]),
        ("mov.u32\n{ ret; }", ["mov.u32", "{", "ret;", "}"]),
        ("mov.u32 %r1,\n{ .reg .b32 a; }", ["mov.u32 %r1,", "{", ".reg .b32 a;", "}"]),
        ("mov.u32 %r1,\n{ max.NaN.f32 %f1; }", ["mov.u32 %r1,", "{", "max.NaN.f32 %f1;", "}"]),
        ("mov.u32 %r1,\n{ tex.1d.v4 {%f1}; }", ["mov.u32 %r1,", "{", "tex.1d.v4 {%f1};", "}"]),
        ("mov.u32 %r1,\n{ pmevent 3;\n}", ["mov.u32 %r1,", "{", "pmevent 3;", "}"]),
        ("mov.u32 %r1,\n{/**/ .reg .b32 a; }", ["mov.u32 %r1,", "{", ".reg .b32 a;", "}"]),
        ("mov.u32 %r1,\n{ }\nret;", ["mov.u32 %r1,", "{", "}", "ret;"]),
        ("mov.b64 %rd1,\n{v.x, v.y};", ["mov.b64 %rd1, {v.x, v.y};"]),
        ("mov.b64 %rd1,\n{ /* v */ v.b0 , v.h1 };", ["mov.b64 %rd1, { /* v */ v.b0 , v.h1 };"]),
        (".global .b32 a[2] =\n{ };", [".global .b32 a[2] = { };"]),
        (".global .b32 a[2] =\n{1 /* ; */ };", [".global .b32 a[2] = {1 /* ; */ };"]),
        ("mov.b64 %rd1,\n{ %r1, %r2 };", ["mov.b64 %rd1, { %r1, %r2 };"]),
        ("mov.u32 %r1,\n{ // call\n\n.reg .b32 a;\n}", ["mov.u32 %r1,", "{", ".reg .b32 a;", "}"]),
        ("ld\n{\nld.u32 %r1, [%r2];\n}", ["ld", "{", "ld.u32 %r1, [%r2];", "}"]),
        ("mov.b64 %rd1,\n{\n%r1, %r2\n};", ["mov.b64 %rd1, { %r1, %r2 };"]),
        ("mov.b64 {\n}", ["mov.b64 {", "}"]),
        ("mov.b64 { %r1, %r2\n}, %rd1;", ["mov.b64 { %r1, %r2 }, %rd1;"]),
        (".loc\nadd.u32 %r1, %r2, 3;", [".loc", "add.u32 %r1, %r2, 3;"]),
        (".loc 1\nL: ret;", [".loc 1", "L:", "ret;"]),
        ("ld.L2::\nret;", ["ld.L2::", "ret;"]),
        ("ld.u32 %r1, [%r2\nadd.u32 %r1, %r2, 3;", ["ld.u32 %r1, [%r2", "add.u32 %r1, %r2, 3;"]),
        (".func f()\n.func g() {", [".func f()", ".func g() {"]),
        (".entry k(\n.version 8.5\n", [".entry k(", ".version 8.5"]),
        (";;ret;", [";;", "ret;"]),  # one mistake
    ],
)
def test_missing_terminator(text: str, expected: list[str]) -> None:
    check_statements(text, *expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add.u32 %r1, %r2, 3\nret;\n", [(0, 19, "")]),
        ("ret\nret\nret;\n", [(0, 3, ""), (1, 3, "")]),
        (".reg .b32 a // c\n.reg .b32 b;\n", [(0, 11, "")]),
        ("add.u32 %r1 %r2;\nmov.u32 ;\nret;\n", [(0, 12, "%r2")]),
        ("add.u32 (;\nret;\nadd.u32 );\n", [(0, 9, ";"), (2, 8, ")")]),
        (";\n", [(0, 0, ";")]),
        ("/* open\nret;\n", [(0, 0, "/*")]),
        ("ret; /* open\n\n", [(0, 5, "/*")]),
        (".global .u32 a[] = {1,\n2\n", [(1, 1, "")]),
        ("frob frob frob;\nret;\n", [(0, 10, "frob")]),
    ],
)
def test_problems_stand_where_they_are(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert problems(text) == expected


def test_every_problem_of_a_file_is_found() -> None:
    text = "".join(f"add.u32 %r{n}, , 3;\nret;\n" for n in range(50))
    assert [line for line, _, _ in problems(text)] == list(range(0, 100, 2))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = end.join([".version 8.5", ".target sm_90", ".entry k() {", "add.u32 %r1,", "2, 3;", "}"])
    check_statements(
        text, ".version 8.5", ".target sm_90", ".entry k() {", "add.u32 %r1, 2, 3;", "}"
    )


def test_comments_and_white_space() -> None:
    check_statements("/**/ret/**/;/* a\nb */exit;\f\tret;", "ret/**/;", "exit;", "ret;")
    check_statements("// a\\\nret; // b ; exit;\n", "ret;")
    check_statements("/* ; */ /* { */ // }\n")


def test_strings_hold_anything() -> None:
    check_statements('.pragma "; } // /*";\nret;', '.pragma "; } // /*";', "ret;")
    check_statements('.file 1 "a;b{.cu"\nret;', '.file 1 "a;b{.cu"', "ret;")


def test_lines_for_other_tools() -> None:
    check_statements('# 1 "a.cu"\n@@DWARF .byte 1\nret;', '# 1 "a.cu"', "@@DWARF .byte 1", "ret;")


def test_sections() -> None:
    check_statements(
        ".section .debug_info {\n.b8 1,2\n.b32 a+4 .b8 3\nlabel:\n.b64 b-a\n}\nret;",
        ".section .debug_info {",
        ".b8 1,2",
        ".b32 a+4",
        ".b8 3",
        "label:",
        ".b64 b-a",
        "}",
        "ret;",
    )


def test_raw_source() -> None:
    text = (
        '.nv_intermediate_source_section { .code_block { .ir_name: "T"\n'
        ".sourceFileName: 1 .source_begin\n"
        '; } ret; " /* \n.source_end\n} }\nret;'
    )
    found = cut(Document.read(text))
    assert len(found) == 2
    assert found[-1] == "ret;"
    assert problems(text) == []


def test_nested_initialisers() -> None:
    check_statements(
        ".global .s32 a[2][2] = {\n {1, 2},\n {3, 4}\n};\nret;",
        ".global .s32 a[2][2] = { {1, 2}, {3, 4} };",
        "ret;",
    )


def test_empty_texts() -> None:
    for text in ("", "\n", " ", "\ufeff", "\r\n\r\n"):
        assert problems(text) in ([], [(0, 0, "\ufeff")])
    check_statements("")


def test_a_long_line() -> None:
    document = Document.read("add.u32 %r1, %r2, 3; " * 5000)
    assert len(list(statements_on(document, 0))) == 5000
    found = statement_at(document, Position(0, 21 * 2500 + 3))
    assert found is not None
    assert found.start == Position(0, 21 * 2500)


def test_statement_at() -> None:
    document = Document.read("ret; exit;\n  trap;\n")
    for position, expected in [
        (Position(0, 0), "ret;"),
        (Position(0, 4), "ret;"),
        (Position(0, 5), "exit;"),
        (Position(1, 0), None),
        (Position(1, 2), "trap;"),
        (Position(2, 0), None),
        (Position(9, 9), None),
    ]:
        found = statement_at(document, position)
        assert (found.text if found else None) == expected
    meeting = statement_at(Document.read("ret;exit;"), Position(0, 4))
    assert meeting is not None
    assert meeting.text == "exit;"
