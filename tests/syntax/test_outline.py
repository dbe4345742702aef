"""The outline: functions as regions, braces matched within each."""

from __future__ import annotations

from ptx_ls.source import Position
from ptx_ls.syntax.document import Document
from ptx_ls.syntax.outline import Region
from ptx_ls.syntax.record import Kind


def check_regions(
    text: str, *expected: tuple[int, int | None], braces: tuple[int, ...] = ()
) -> Document:
    """Regions as (first line, line of the closing brace), the one before any head left out.

    `braces` are the lines of braces without a partner.
    """
    document = Document(text)
    regions = document.outline.regions
    assert regions[0].kind is None
    assert [(region.start, region.close) for region in regions[1:]] == list(expected)
    assert tuple(p.line for region in regions for p in region.problems) == braces
    for number, region in enumerate(regions):
        assert document.outline.index_of(region) == number
    return document


def test_functions_and_sections() -> None:
    check_regions(
        ".version 8.5\n.entry k() {\nret;\n}\n.func f()\n{\n{\n}\n}\n"
        ".section .debug_str {\n.b8 1\n}\n",
        (1, 3),
        (4, 8),
        (9, 11),
    )


def test_functions_on_one_line() -> None:
    document = check_regions(".func f() { ret; } .func g() { ret; }\n", (0, 0), (0, 0))
    assert [region.piece for region in document.outline.regions[1:]] == [0, 3]


def test_prototypes_are_no_regions() -> None:
    check_regions(".func f();\n.extern .func g(.param .b32 a);\n.entry k() {\n}\n", (2, 3))


def test_a_missing_brace_does_not_spoil_the_next_function() -> None:
    check_regions(
        ".entry k() {\n{\nret;\n}\n.entry l() {\nret;\n}\n", (0, None), (4, 6), braces=(0,)
    )
    check_regions(".entry k() {\nret;\n.entry l() {\nret;\n}\n", (0, None), (2, 4), braces=(0,))


def test_a_brace_too_many_does_not_spoil_the_next_function() -> None:
    check_regions(".entry k() {\n}\n}\n.entry l() {\n}\n", (0, 1), (3, 4), braces=(2,))
    check_regions("}\n.entry l() {\n}\n", (1, 2), braces=(0,))


def test_braces_of_vectors_comments_and_strings_do_not_count() -> None:
    check_regions('.entry k() {\nmov.b64 {a, b}, c; // {\n/* } */ .pragma "}";\n}\n', (0, 3))


def test_region_at() -> None:
    document = check_regions("\n.entry k() {\n}\n\n.entry l() {\n}\n", (1, 2), (4, 5))
    assert [document.outline.region_at(line) for line in range(6)] == [0, 1, 1, 1, 2, 2]
    assert [document.outline.stop(index) for index in range(3)] == [1, 4, 7]


def test_edits_keep_regions_that_they_do_not_touch() -> None:
    document = Document(".entry k() {\nret;\n}\n.entry l() {\nret;\n}\n")
    first, second = document.outline.regions[1:]
    document.edit(Position(1, 0), Position(1, 0), "\n\n")
    assert document.outline.regions[1:] == [first, second]
    assert (first.start, first.close, second.start, second.close) == (0, 4, 5, 7)
    document.edit(Position(1, 0), Position(1, 0), "}\n.entry m() {\n")
    kinds = [region.kind for region in document.outline.regions]
    assert kinds == [None, Kind.FUNCTION, Kind.FUNCTION, Kind.FUNCTION]
    assert document.outline.regions[-1] is second
    assert document.outline.index_of(first) is None


def test_what_was_derived_is_forgotten_where_it_may_have_changed() -> None:
    document = Document(".entry k() {\n.reg .b32 a;\nret;\n}\n.entry l() {\nret;\n}\n")
    regions: list[Region] = document.outline.regions
    for region in regions:
        region.facts["x"] = 1
    document.edit(Position(2, 0), Position(2, 0), "exit;\n")
    assert [bool(region.facts) for region in regions] == [True, False, True]
