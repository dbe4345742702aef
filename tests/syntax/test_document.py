"""A document after any edits equals one read from the whole text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.source import Position
from ptx_ls.syntax.document import Document
from ptx_ls.syntax.record import MultiLine, Record

LINES = [
    ".version 8.5",
    ".target sm_90",
    ".target sm_90,",
    "debug",
    ".visible .entry k(",
    "\t.param .u64 k_param_0",
    ")",
    "{",
    "}",
    "\t.reg .b32 %r<10>;",
    "\tadd.s32 \t%r1, %r2, %r3;",
    "\t@%p1 bra \t$L__BB0_2;",
    "\tadd.s32 \t%r1, %r2",
    "\tmov.f32 %f1, 0f3F800000;",
    "$L__BB0_2:",
    "ret;",
    "ret",
    "{ .reg .b32 t; mov.b32 t, %r1; }",
    "call (retval0), f,",
    "(a, b);",
    "// comment",
    "/* open",
    "close */ ret;",
    '.file 1 "a.cu"',
    '# 1 "a',
    'b" 1',
    ".loc 1 2 3",
    ".section .debug_info {",
    ".b8 1,2,3",
    ".global .u32 a[] = {1,",
    "2};",
    ".func f(.param .u32 x)",
    "",
    "é ; 😀",
    '"',
    "add.s32",
    "\f",
]
SNIPPETS = [
    *LINES,
    ";",
    "/*",
    "*/",
    "//",
    "{",
    "}",
    "\n",
    "\r",
    "\r\n",
    ",",
    ":",
    "%",
    ".",
    "@",
    " ",
]

documents = st.lists(st.sampled_from(LINES), max_size=12).flatmap(
    lambda lines: st.lists(
        st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"]), min_size=len(lines), max_size=len(lines)
    ).map(lambda ends: "".join(line + end for line, end in zip(lines, ends, strict=True)))
)
edits = st.lists(
    st.tuples(
        st.integers(0, 14),
        st.integers(0, 24),
        st.integers(0, 3),
        st.integers(0, 24),
        st.lists(st.sampled_from(SNIPPETS), max_size=3).map("".join),
    ),
    max_size=8,
)


def describe(record: Record) -> object:
    """What can be compared of a record that is not shared between documents."""
    if isinstance(record, MultiLine):
        pieces = [(repr(piece.record), piece.start, piece.end) for piece in record.pieces]
        return (record.kind, pieces, record.problems, record.looks_ahead)
    return repr(record)


def boundaries(document: Document) -> list[int]:
    return [document.start_of_run(line) for line in range(len(document.lines))]


def outlined(document: Document) -> list[object]:
    """Regions with their braces, and the level of each line in each of them."""
    lines = range(len(document.lines) + 1)
    return [
        (r.start, r.close, r.kind, r.piece, r.problems, [r.level(line) for line in lines])
        for r in document.outline.regions
    ]


def check_same(document: Document, text: str) -> None:
    fresh = Document(text)
    assert document.text == text
    assert document.lines == fresh.lines
    assert [describe(read) for read in document.records] == [
        describe(read) for read in fresh.records
    ]
    assert boundaries(document) == boundaries(fresh)
    assert outlined(document) == outlined(fresh)


def offset(document: Document, position: Position) -> int:
    return sum(len(line) for line in document.lines[: position.line]) + position.column


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(documents, edits, st.sampled_from([(50, 4096), (0, 1)]))
def test_edited_document_equals_one_read_from_scratch(
    text: str, changes: list[tuple[int, int, int, int, str]], blocks: tuple[int, int]
) -> None:
    document = Document(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ptx_ls.syntax.document._FEW", blocks[0])
        patch.setattr("ptx_ls.syntax.statements._LINES_OF_STEP", blocks[1])
        check_edits(document, changes)


def check_edits(document: Document, changes: list[tuple[int, int, int, int, str]]) -> None:
    for line, column, more, end_column, new in changes:
        start = document.clamped(Position(line, column))
        end = max(start, document.clamped(Position(line + more, end_column)))
        before = document.text
        expected = before[: offset(document, start)] + new + before[offset(document, end) :]
        document.edit(start, end, new)
        check_same(document, expected)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from('ar.%;{}()[]/*"\n\r\t ,:@!#0x1é😀$_-+<>='), max_size=80))
def test_any_text_is_read_and_kept(text: str) -> None:
    document = Document(text)
    assert document.text == text
    assert len(document.records) == len(document.lines)
    for line in range(len(document.lines)):
        for statement in document.statements(line):
            assert statement.parsed.tree.get_code() == statement.text


def test_a_long_comment_is_opened_and_closed() -> None:
    text = ".entry k()\n{\n" + "add.s32 %r1, %r1, 1;\nL:\n" * 200 + "}\n.entry l()\n{\n}\n"
    document = Document(text)
    check_edits(document, [(2, 0, 0, 0, "/*"), (300, 1, 0, 1, "*/"), (2, 0, 0, 2, "")])
    check_edits(document, [(300, 1, 0, 3, ""), (1, 1, 0, 1, "/*"), (1, 1, 0, 3, "")])
    assert document.text == text


@pytest.mark.parametrize("text", ["", "\n", "\r", "\ufeff.version 8.5\n"])
def test_small_documents(text: str) -> None:
    check_same(Document(text), text)
