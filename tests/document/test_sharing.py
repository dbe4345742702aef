"""An edit replaces few chunks, however long the function and the line are."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import MIN_CHUNK_LINES, edited
from ptx_ls.source import Position

HEADER = ".version 8.5\n.target sm_90\n"
LINES = HEADER + ".entry k()\n{\n" + "\tadd.u32 %r1, %r2, %r3;\n" * 2000 + "}\n"
ONE_LINE = HEADER + ".entry k() {" + "add.u32 %r1, %r2, %r3; " * 2000 + "}\n"
FUNCTIONS = HEADER + ".func f() {\n\tret;\n}\n" * 1000
FUNCTIONS_ON_A_LINE = HEADER + ".func f() { ret; }" * 1000


def nodes(document: Document) -> set[int]:
    """All functions and chunks."""
    return {id(node) for function in document.leaves() for node in (function, *function.leaves())}


def check_replaced(text: str, position: Position, new: str, *, at_most: int) -> Document:
    """Types at a position; checks how many functions and chunks are others then."""
    before = Document.read(text)
    after = edited(before, position, position, new)
    assert after.text != before.text == text
    assert len(nodes(after) - nodes(before)) <= at_most
    return after


@pytest.mark.parametrize("new", ["x", "\n", "ret;", "L: ", "\tret;\n" * 20])
def test_a_function_of_many_lines(new: str) -> None:
    check_replaced(LINES, Position(1000, 0), new, at_most=2)


@pytest.mark.parametrize("new", ["x", " ", "ret;", "L: "])
def test_a_line_of_many_statements(new: str) -> None:
    check_replaced(ONE_LINE, Position(2, 12 + 23 * 1000), new, at_most=4)


@pytest.mark.parametrize("new", ["x", "\n", "ret;", "L: "])
def test_many_functions(new: str) -> None:
    check_replaced(FUNCTIONS, Position(3 + 3 * 500, 0), new, at_most=2)


@pytest.mark.parametrize("new", ["x", " ", "ret;"])
def test_many_functions_on_a_line(new: str) -> None:
    check_replaced(FUNCTIONS_ON_A_LINE, Position(2, 18 * 500 + 12), new, at_most=4)


@pytest.mark.parametrize("text", [LINES, ONE_LINE, FUNCTIONS, FUNCTIONS_ON_A_LINE])
def test_no_chunk_is_large(text: str) -> None:
    document = Document.read(text)
    chunks = [chunk for function in document.leaves() for chunk in function.leaves()]
    assert max(len(chunk.text) for chunk in chunks) < 10_000


def test_chunks_keep_their_size_while_lines_come_and_go() -> None:
    document = Document.read(LINES)
    position = Position(1000, 0)
    for _ in range(10):
        document = edited(document, position, position, "\tret;\n" * 100)
    sizes = [chunk.n_lines for chunk in document.leaf(1).leaves()]
    assert max(sizes) <= 384
    for _ in range(20):
        document = edited(document, Position(100, 0), Position(200, 0), "")
    sizes = [chunk.n_lines for chunk in document.leaf(1).leaves()]
    assert len([size for size in sizes if size < MIN_CHUNK_LINES]) <= 1
