"""Where names are declared and used: scopes, ranges, labels, functions, comments and strings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.navigation import goto
from ptx_ls.features.navigation.references import references
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position, Range
from tests.support.fixture import parse_fixture

HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n"


@dataclass
class Marked:
    """A text without its marks: `«use»`, `«=declaration»` and `<|>`."""

    text: str
    places: list[Range]
    declared: list[Range]
    cursor: Position | None


def check_places(marked: str, *, include_declaration: bool = True) -> None:
    """The references at the cursor are in `«»`, and the definition is in `«=»`.

    Without a cursor any of the marked places has to give the same answer.
    """
    expected = unmarked(dedent(marked.removeprefix("\n")))
    document = Document.read(expected.text)
    analysis = Analysis(document)
    cursors = [expected.cursor] if expected.cursor else [it.start for it in expected.places]
    assert cursors
    for cursor in cursors:
        found = references(analysis, cursor, include_declaration=include_declaration)
        assert shown(document, found) == shown(document, expected.places)
        if expected.declared:
            assert shown(document, declared(analysis, cursor)) == shown(document, expected.declared)


def declared(analysis: Analysis, position: Position) -> list[Range]:
    """The declaration of a name; of a function its body."""
    found = goto.implementation(analysis, position) or goto.declaration(analysis, position)
    return [link.selection for link in found]


def unmarked(marked: str) -> Marked:
    """Takes the marks out."""
    found = Marked("", [], [], None)
    line = start = 0
    plain = ""
    is_declaration = False
    for part in re.findall(r"«=?|»|<\|>|\n|[^«»\n<]+|<", marked):
        if part == "<|>":
            found.cursor = Position(line, len(plain))
        elif part.startswith("«"):
            start, is_declaration = len(plain), part == "«="
        elif part == "»":
            place = Range(Position(line, start), Position(line, len(plain)))
            found.places.append(place)
            found.declared += [place] if is_declaration else []
        else:
            plain += part
            if part == "\n":
                found.text += plain
                line, plain = line + 1, ""
    found.text += plain
    return found


def shown(document: Document, places: list[Range]) -> list[str]:
    """Places as one reads them."""
    return [
        f"{place.start.line}:{place.start.column}-{place.end.column} "
        f"{document.lines[place.start.line].strip()}"
        for place in places
    ]


def check_definition(marked: str, expected: str | None) -> None:
    """The line that declares the name at the cursor, of a function the body's; None for none."""
    fixture = parse_fixture(marked)
    document = Document.read(fixture.text)
    found = declared(Analysis(document), fixture.cursor)
    lines = [document.lines[place.start.line].strip() for place in found]
    assert lines == ([] if expected is None else [expected])


def test_register() -> None:
    check_places(
        """
        .entry k() {
            .reg .b32 «=%a», %b;
            mov.u32 «%a», 1; // %a
            @p add.u32 %b, «%a», «%a»; /* %a */
            st.u32 [«%a»+4], {%b, «%a»};
            add.u32 %a1, %b.x, $%a;
        }
        """
    )


def test_register_of_a_range_is_looked_for_by_itself() -> None:
    check_places(
        """
        .entry k() {
            .reg .b32 %r<20>;
            mov.u32 «%r1», %r2;
            add.u32 %r11, «<|>%r1», %r10;
        }
        """,
        include_declaration=False,
    )


def test_declaration_of_a_range_belongs_to_each_of_its_registers() -> None:
    check_places(
        """
        .entry k() {
            .reg .b32 «=%r»<20>;
            mov.u32 «<|>%r1», %r2;
        }
        """
    )


def test_a_range_as_a_whole() -> None:
    check_places(
        """
        .entry k() {
            .reg .b32 «=<|>%r»<20>;
            .reg .b64 %rd<20>;
            mov.u32 «%r1», «%r19»;
            mov.u64 %rd1, %r20;
        }
        """
    )


def test_inner_scope_hides_the_outer_one() -> None:
    check_places(
        """
        .entry k() {
            .reg .b32 «=t»;
            mov.u32 «t», 1;
            {
                .reg .b32 t;
                mov.u32 t, 2;
            }
            mov.u32 «t», 3;
        }
        """
    )
    check_places(
        """
        .entry k() {
            .reg .b32 t;
            {
                .reg .b32 «=t»;
                { mov.u32 «t», 2; }
            }
            mov.u32 t, 3;
        }
        """
    )


def test_before_the_inner_declaration_the_outer_name_is_meant() -> None:
    check_places(
        """
        .entry k() {
            .reg .b32 «=t»;
            {
                mov.u32 «t», 2;
                .reg .b32 t;
                mov.u32 t, 2;
            }
        }
        """
    )


def test_same_name_in_another_function() -> None:
    check_places(
        """
        .entry k() {
            .reg .b32 «=%r»;
            mov.u32 «%r», 1;
        }
        .entry l() {
            .reg .b32 %r;
            mov.u32 %r, 1;
        }
        """
    )


def test_labels() -> None:
    check_places(
        """
        .entry k() {
            @%p bra «LOOP»;
        «=LOOP»: add.u32 %r1, %r2, 3;
            bra.uni «LOOP»;
            t: .branchtargets «LOOP», LOOPS;
        }
        .entry l() { LOOP: bra LOOP; }
        """
    )


def test_labels_of_sibling_blocks() -> None:
    check_places(
        """
        .entry k() {
            { «=L»: bra «L»; }
            { L: bra L; }
        }
        """
    )


def test_parameter() -> None:
    check_places(
        """
        .entry k(.param .u64 «=x», .param .u32 y)
        {
            ld.param.u64 %rd1, [«x»];
            ld.param.u32 %r1, [«x»+4];
        }
        .entry l(.param .u64 x) { ld.param.u64 %rd1, [x]; }
        """
    )


def test_variable_of_the_module() -> None:
    check_places(
        """
        .global .b32 «=table»[4] = {1, 2, 3, 4};
        .global .u64 pointer = generic(«table»)+8;
        .entry k() { ld.global.u32 %r1, [«table»+8]; }
        .entry l() { mov.u64 %rd1, «table»; }
        .entry m() { .reg .u64 table; mov.u64 table, 1; }
        """
    )


def test_function_with_prototype_and_definition() -> None:
    check_places(
        """
        .func «f»(.param .b32 x);
        .entry k() { call «f», (%r1); }
        .func «=f»(.param .b32 x) { ret; }
        .entry l() { call «f», (%r1); mov.u64 %rd1, «f»; }
        """
    )


def test_alias_and_call_targets() -> None:
    check_places(
        """
        .func «=f»() { ret; }
        .func g();
        .alias g, «f»;
        .entry k() { t: .calltargets «f»; call %rd1, (), t; }
        """
    )


def test_lists_of_targets_and_prototypes() -> None:
    check_places(
        """
        .entry k() {
            «=t»: .branchtargets A, B;
            brx.idx %r1, «t»;
            A: B: ret;
        }
        """
    )
    check_places(
        """
        .entry k() {
            «=p»: .callprototype _ (.param .b32 _);
            call %rd1, (%r1), «p»;
        }
        """
    )


def test_comments_and_strings_do_not_count() -> None:
    check_places(
        """
        .file 1 "table"
        // table
        .global .b32 «=table»; // table
        /* table
           table */
        .entry k() { .pragma "table"; mov.u64 %rd1, /* table */ «table»; }
        """
    )


def test_several_statements_on_a_line_and_statements_over_lines() -> None:
    check_places(
        """
        .entry k() { .reg .b32 «=a»; mov.u32 «a», 1; { .reg .b32 a; mov.u32 a, 1; } mov.u32
            «a»,
            «a»;
        }
        """
    )


def test_comments_over_lines_within_a_statement() -> None:
    check_places(
        """
        .entry k() {
            .reg .b32 «=a»;
            mov.u32 «a», /* a
            a, */
            «a»; mov.u32 «a», 1;
            { .reg .b32 b; mov.u32
              b, «a»; .reg .b32 a; mov.u32 a,
              a; }
            add.u32 «a»,
              «a», 1;
        }
        """
    )


def test_without_the_declaration() -> None:
    check_places(
        """
        .entry k() {
            .reg .b32 a;
            mov.u32 «a», «<|>a»;
        }
        """,
        include_declaration=False,
    )


def test_broken_statements_do_not_matter() -> None:
    check_places(
        """
        .entry k() {
            .reg .b32 «=a»;
            mov.u32 , ;
            add.u32 «a», ( , 3;
            mov.u32 «a», 1
            ret;
        """
    )


@pytest.mark.parametrize(
    "marked", ["<|>", "ret<|>;", "// a<|>", "mov.u32 %r1, 3<|>;", "bra NOW<|>HERE;"]
)
def test_nothing_to_find(marked: str) -> None:
    fixture = parse_fixture(HEAD + ".entry k() {\n" + marked + "\n}\n")
    analysis = Analysis(Document.read(fixture.text))
    assert declared(analysis, fixture.cursor) == []
    assert goto.definition(analysis, fixture.cursor) == []
    assert references(analysis, fixture.cursor, include_declaration=True) == []


def test_a_name_used_before_its_declaration_is_found() -> None:
    check_definition(".entry k() {\n mov.u32 %<|>a, 1;\n .reg .b32 %a;\n}", ".reg .b32 %a;")
    check_definition(
        ".entry k() {\n call la<|>ter;\n}\n.func later() { ret; }", ".func later() { ret; }"
    )


def test_a_register_behind_the_end_of_its_range() -> None:
    check_definition(".entry k() {\n .reg .b32 %r<5>;\n mov.u32 %r<|>5, 1;\n}", None)


def test_positions_after_edits() -> None:
    document = Document.read(".entry k() {\n.reg .b32 %a;\nmov.u32 %a, 1;\n}\n")
    analysis = Analysis(document)
    assert declared(analysis, Position(2, 9)) == [Range(Position(1, 10), Position(1, 12))]
    document = edited(document, Position(0, 0), Position(0, 0), "// one\n\n")
    document = edited(document, Position(4, 0), Position(4, 0), "\n")
    analysis = Analysis(document)
    assert declared(analysis, Position(5, 9)) == [Range(Position(3, 10), Position(3, 12))]
    found = references(analysis, Position(5, 9), include_declaration=True)
    assert [place.start.line for place in found] == [3, 5]
