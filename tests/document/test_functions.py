"""The functions of a document: where they are, and that braces are matched within each."""

from __future__ import annotations

from ptx_ls.document.braces import braces
from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.source import Position
from ptx_ls.syntax.record import Kind


def check_functions(
    text: str, *expected: tuple[int, int | None], loose: tuple[int, ...] = ()
) -> Document:
    """Functions as (first line, line of the closing brace), what precedes any head left out.

    `loose` are the lines of braces without a partner.
    """
    document = Document.read(text)
    functions = document.functions
    assert functions[0].head is None
    assert [(located.first_line, located.close) for located in functions[1:]] == list(expected)
    found = [
        located.first_line + brace.row
        for located in functions
        for brace in braces(located.function).problems
    ]
    assert tuple(found) == loose
    for number, located in enumerate(functions):
        assert located.number == number
        assert document.located_at(located.start).number >= number
    return document


def test_functions_and_sections() -> None:
    check_functions(
        ".version 8.5\n.entry k() {\nret;\n}\n.func f()\n{\n{\n}\n}\n"
        ".section .debug_str {\n.b8 1\n}\n",
        (1, 3),
        (4, 8),
        (9, 11),
    )


def test_functions_on_one_line() -> None:
    document = check_functions(".func f() { ret; } .func g() { ret; }\n", (0, 0), (0, 0))
    first, second = document.functions[1:]
    assert first.start == (0, 0)
    assert document.located_at(Position(0, 17)).number == 1
    assert document.located_at(Position(0, 19)).number == 2
    assert second.start.column in (18, 19)
    assert (first.stop_line, first.last_line, first.n_lines) == (0, 0, 0)
    assert (second.stop_line, second.last_line, second.n_lines) == (2, 0, 2)


def test_prototypes_are_no_functions() -> None:
    check_functions(".func f();\n.extern .func g(.param .b32 a);\n.entry k() {\n}\n", (2, 3))


def test_a_missing_brace_does_not_spoil_the_next_function() -> None:
    check_functions(
        ".entry k() {\n{\nret;\n}\n.entry l() {\nret;\n}\n", (0, None), (4, 6), loose=(0,)
    )
    check_functions(".entry k() {\nret;\n.entry l() {\nret;\n}\n", (0, None), (2, 4), loose=(0,))


def test_a_brace_too_many_does_not_spoil_the_next_function() -> None:
    check_functions(".entry k() {\n}\n}\n.entry l() {\n}\n", (0, 1), (3, 4), loose=(2,))
    check_functions("}\n.entry l() {\n}\n", (1, 2), loose=(0,))


def test_braces_of_vectors_comments_and_strings_do_not_count() -> None:
    check_functions('.entry k() {\nmov.b64 {a, b}, c; // {\n/* } */ .pragma "}";\n}\n', (0, 3))


def test_the_function_of_a_line() -> None:
    document = check_functions("\n.entry k() {\n}\n\n.entry l() {\n}\n", (1, 2), (4, 5))
    assert [document.located_on(line).number for line in range(6)] == [0, 1, 1, 1, 2, 2]
    assert [located.stop_line for located in document.functions] == [1, 4, 7]


def test_edits_keep_functions_that_they_do_not_touch() -> None:
    document = Document.read(".entry k() {\nret;\n}\n.entry l() {\nret;\n}\n")
    header, first, second = document.leaves()
    document = edited(document, Position(1, 0), Position(1, 0), "\n\n")
    assert document.leaf(0) is header
    assert document.leaf(1) is not first
    assert document.leaf(2) is second
    places = [(located.first_line, located.close) for located in document.functions[1:]]
    assert places == [(0, 4), (5, 7)]
    document = edited(document, Position(1, 0), Position(1, 0), "}\n.entry m() {\n")
    heads = [function.head for function in document.leaves()]
    assert heads == [None, Kind.FUNCTION, Kind.FUNCTION, Kind.FUNCTION]
    assert document.leaf(3) is second


def test_what_was_derived_is_kept_where_it_cannot_have_changed() -> None:
    text = ".entry k() {\n.reg .b32 a;\nret;\n}\n.entry l() {\nret;\n}\n"
    document = Document.read(text)
    for function in document.leaves():
        braces(function)
    document = edited(document, Position(2, 0), Position(2, 0), "exit;\n")
    is_known = [braces.known(function) is not None for function in document.leaves()]
    assert is_known == [True, False, True]
