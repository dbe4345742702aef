import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from ptx_ls.document.document import Document
from ptx_ls.server.documents import from_lsp, to_lsp
from ptx_ls.server.documents.open_documents import OpenDocument, OpenDocuments
from ptx_ls.source import Position
from ptx_ls.source.columns import ColumnUnit
from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Record

PIECES = (
    "mov.u32 %r1, %r2;", "\n", "\r\n", "\r", " ", "{", "}", "/*", "*/", "//", '"', ";", "é", "😀",
    ".visible .entry k() {", "bra L;", "L:", "@%p ", "\t", "\u2028",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
UNITS = st.sampled_from(ColumnUnit)


@dataclass
class Editor:
    """Keeps a text as an editor does: counts in units, sends what it changed."""

    lines: list[str]
    unit: ColumnUnit

    def units(self, text: str) -> int:
        if self.unit is ColumnUnit.UTF_32:
            return len(text)
        code = "utf-16-le" if self.unit is ColumnUnit.UTF_16 else "utf-8"
        return len(text.encode(code)) // (2 if self.unit is ColumnUnit.UTF_16 else 1)

    def place(self, line: int, column: int) -> tuple[int, types.Position]:
        """Returns the offset of a place in the text, and the place as it is sent."""
        content = self.lines[line].rstrip("\r\n")
        before = content[: min(column, len(content))]
        offset = len("".join(self.lines[:line])) + len(before)
        return offset, types.Position(line, self.units(before))

    def replace(self, data: st.DataObject) -> types.TextDocumentContentChangeEvent:
        new = data.draw(TEXTS)
        if data.draw(st.integers(0, 5)) == 0:
            self.lines = split_lines(new)
            return types.TextDocumentContentChangeWholeDocument(new)
        numbers = st.tuples(st.integers(0, len(self.lines) - 1), st.integers(0, 40))
        (start, first), (end, last) = sorted(
            (self.place(*data.draw(numbers)) for _ in range(2)), key=lambda place: place[0]
        )
        text = "".join(self.lines)
        self.lines = split_lines(text[:start] + new + text[end:])
        return types.TextDocumentContentChangePartial(types.Range(first, last), new)


def opened(text: str, unit: ColumnUnit = ColumnUnit.UTF_16) -> OpenDocument:
    return OpenDocument(types.TextDocumentItem("file:///a.ptx", "ptx", 0, text), unit)


def check_edits(document: OpenDocument, text: str) -> None:
    """Checks that an edited document is what it would be had it been opened like this."""
    fresh = Document.read(text)
    assert list(document.document.lines) == list(fresh.lines)
    kinds = [[read.kind for read in it.records] for it in (document.document, fresh)]
    assert kinds[0] == kinds[1]


@given(st.data(), TEXTS, UNITS)
def test_edits_lead_to_the_text_of_the_editor(
    data: st.DataObject, text: str, unit: ColumnUnit
) -> None:
    editor, document = Editor(split_lines(text), unit), opened(text, unit)
    for version in range(1, 6):
        document.edit(version, [editor.replace(data)])
        assert list(document.document.lines) == editor.lines
    check_edits(document, "".join(editor.lines))
    assert document.version == 5


@given(TEXTS, TEXTS)
def test_a_new_text_is_an_edit_of_what_differs(old: str, new: str) -> None:
    document = opened(old)
    document.edit(1, [types.TextDocumentContentChangeWholeDocument(new)])
    check_edits(document, new)


def test_a_new_text_keeps_what_is_known_of_other_functions() -> None:
    functions = [f".entry k{i}()\n{{\nret;\n}}\n" for i in range(5)]
    document = opened("".join(functions))
    before = list(document.document.leaves())
    functions[2] = functions[2].replace("ret", "exit")
    document.edit(1, [types.TextDocumentContentChangeWholeDocument("".join(functions))])
    is_kept = [was is now for was, now in zip(before, document.document.leaves(), strict=True)]
    assert is_kept == [True, True, True, False, True, True]  # first what precedes any function


Change = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument


def part(
    start: tuple[int, int], end: tuple[int, int], text: str
) -> types.TextDocumentContentChangePartial:
    area = types.Range(types.Position(*start), types.Position(*end))
    return types.TextDocumentContentChangePartial(area, text)


def lines_of(document: OpenDocument, version: int, *changes: Change) -> tuple[int, int] | None:
    """The first and the last line of an edit."""
    found = document.edit(version, changes)
    return None if found is None else (found.first, found.last)


def test_the_lines_of_an_edit() -> None:
    document = opened("ret;\nexit;\ntrap;\r")
    assert lines_of(document, 1, part((1, 0), (1, 4), "ret;\nret;\nexit")) == (1, 3)
    assert document.document.lines[1:4] == ["ret;\n", "ret;\n", "exit;\n"]
    assert lines_of(document, 2, part((0, 0), (3, 1), "")) == (0, 0)
    assert lines_of(document, 3, part((2, 0), (2, 0), "\n")) == (2, 2)  # ends the same line
    assert lines_of(document, 4, part((9, 9), (9, 9), "ret;")) == (2, 2)
    assert lines_of(document, 5, *[part((0, 0), (0, 1), "")] * 2) is None
    assert lines_of(document, 6, types.TextDocumentContentChangeWholeDocument("ret;")) is None


@pytest.mark.parametrize(
    ("unit", "character"), [(ColumnUnit.UTF_8, 9), (ColumnUnit.UTF_16, 7), (ColumnUnit.UTF_32, 6)]
)
def test_a_character_outside_of_the_first_plane(unit: ColumnUnit, character: int) -> None:
    document = opened('.b8 "😀x"', unit)
    assert to_lsp.position(document, Position(0, 6)) == types.Position(0, character)
    assert from_lsp.position(document, types.Position(0, character)) == Position(0, 6)


def test_a_position_outside_of_the_text_is_moved_into_it() -> None:
    document = opened("ret;\r\nexit;")
    places = {(0, 99): (0, 4), (1, 99): (1, 5), (9, 0): (1, 5), (9, 9): (1, 5)}
    for (line, character), expected in places.items():
        found = from_lsp.position(document, types.Position(line, character))
        assert found == Position(*expected)


def test_spellings_of_a_uri_are_one_document() -> None:
    workspace = OpenDocuments(ColumnUnit.UTF_16)
    document = workspace.open(types.TextDocumentItem("file:///a%20b.ptx", "ptx", 0, ""))
    assert workspace.get("file:///a b.ptx") is document
    assert workspace.get("untitled:a") is None
    assert workspace.close("file:///a b.ptx") is document
    assert workspace.get("file:///a%20b.ptx") is None
    assert workspace.close("file:///a%20b.ptx") is None


LONG = "".join(f".entry k{number}() {{ ret; }}\n" for number in range(5_000))


def late(text: str, reader: Reader | None = None) -> OpenDocument:
    item = types.TextDocumentItem("file:///a.ptx", "ptx", 0, text)
    return OpenDocument(item, ColumnUnit.UTF_16, is_late=True, reader=reader)


@pytest.fixture
def executor() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as made:
        yield made


async def test_a_document_that_is_read_on_a_thread(executor: ThreadPoolExecutor) -> None:
    document = late(LONG)
    await document.read(executor)
    assert document.is_read
    assert document.document.text == LONG


@pytest.mark.parametrize("is_busy", [True, False])
async def test_a_caller_that_cannot_wait(executor: ThreadPoolExecutor, *, is_busy: bool) -> None:
    document, may_end = late(LONG), threading.Event()
    if is_busy:
        executor.submit(may_end.wait)
    reading = asyncio.ensure_future(document.read(executor))
    await asyncio.sleep(0)
    document.edit(1, [types.TextDocumentContentChangeWholeDocument("exit;\n")])
    may_end.set()
    await reading
    assert document.document.text == "exit;\n"


async def test_a_document_that_is_closed_is_read_no_further(executor: ThreadPoolExecutor) -> None:
    reader = StoppingReader()
    document = late(LONG, reader)
    reader.then = document.stop
    await document.read(executor)
    assert not document.is_read


class StoppingReader(Reader):
    """Calls a function after each portion."""

    then: Callable[[], None]

    def read_all(self, lines: Sequence[str]) -> list[Record]:
        found = super().read_all(lines)
        self.then()
        return found


def fail() -> None:
    raise ValueError("broken")


async def test_what_cannot_be_read_ends_the_wait(executor: ThreadPoolExecutor) -> None:
    reader = StoppingReader()
    reader.then = fail
    document = late(LONG, reader)
    waiting = asyncio.ensure_future(document.wait())
    with pytest.raises(ValueError, match="broken"):
        await document.read(executor)
    await asyncio.wait_for(waiting, 1)
    for _ in range(2):
        with pytest.raises(ValueError, match="broken"):
            _ = document.document


@pytest.mark.parametrize(
    ("start", "end", "text", "expected"),
    [
        ((0, 3), (0, 3), "7", True),
        ((0, 3), (0, 3), ".", True),
        ((0, 1), (0, 3), "x", True),  # over a selected part of a name
        ((0, 2), (0, 3), "", True),
        ((0, 0), (0, 4), "", False),  # a statement
        ((0, 3), (0, 3), " ", True),
        ((0, 3), (0, 3), "[]", True),  # an editor closes the bracket
        ((0, 4), (0, 4), ";", True),  # a second statement may follow
        ((0, 3), (0, 3), "\n", False),
        ((0, 3), (0, 3), "ret", False),  # a completion or a paste
        ((0, 0), (1, 0), "", False),  # a line
    ],
)
def test_keys_after_which_more_may_follow(
    start: tuple[int, int], end: tuple[int, int], text: str, *, expected: bool
) -> None:
    lines = opened("ret;\nexit;\n").edit(1, [part(start, end, text)])
    assert lines is not None
    assert lines.expects_more is expected
