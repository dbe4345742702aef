"""Values that are kept from one answer to the next stay true through edits."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.completion.completion import completions
from ptx_ls.features.structure.selection import selections
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
KERNEL = ".entry k()\n{\n\t.reg .b32 %r<9>;\n\t.reg .pred %p;\n"


def check_after(text: str, where: str, edits: list[tuple[int, int, int, str]]) -> None:
    """Checks answers at the end of `where`: (first line, last line, column of it, new text)."""
    document = Document.read(text)

    def answers(known: Document) -> object:
        line = next(i for i, each in enumerate(known.lines) if where in each)
        place = Position(line, known.lines[line].index(where) + len(where))
        analysis = Analysis(known)
        return selections(analysis, place), completions(analysis, place)

    answers(document)
    for first, last, column, new in edits:
        document = edited(document, Position(first, 0), Position(last, column), new)
        assert answers(document) == answers(Document.read(document.text))


def test_a_body_without_an_end_that_grows_and_shrinks() -> None:
    text = HEAD + KERNEL + "\tadd.u32 %r1, %r2, %r3;\n" * 5 + "\tnot.b32 %r1, %r1;"
    more = [(9, 9, 0, "\tnot.b32 %r1, %r1;\n" * 3), (8, 13, 0, ""), (9, 9, 0, "\t")]
    check_after(text, "add.u32", more)


def test_the_nearest_label_after_lines_were_added() -> None:
    labels = "".join(f"L{i}:\n\tadd.u32 %r1, %r2, %r3;\n" for i in range(4))
    check_after(HEAD + KERNEL + labels + "\t@%p bra \n}\n", "bra ", [(8, 8, 0, "\n\n\n")])


def test_functions_in_the_order_of_the_text() -> None:
    functions = "".join(f".func f{i}()\n{{\n\tret;\n}}\n" for i in range(40))
    text = HEAD + functions + KERNEL + "\tcall \n\tca\n}\n"
    edited = [(3, 3, 8, ".func g0"), (7, 7, 8, ".func g1")]
    check_after(text, "\tcall ", edited)
    check_after(text, "\tca", edited)
    variables = "".join(f".global .b32 v{i};\n.func f{i}();\n" for i in range(5))
    check_after(HEAD + variables + KERNEL + "\tmov.b64 %r1, \n}\n", "%r1, ", [(3, 3, 4, ".glo")])
