"""Parts of a document: no line is in two of them, and what is known of one is kept."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.document.parts import Part, part_fact, parts
from ptx_ls.source import Position

FUNCTION = ".func f()\n{\n\tret;\n}\n"
PIECES = (
    FUNCTION,
    ".func g() { ret; }",
    ".func h() {\n",
    "}",
    "\n",
    "\r\n",
    ".global .b32 v;",
    "x",
)
calls: list[str] = []


def joined(values: Iterable[tuple[int, tuple[int, str]]]) -> tuple[int, str]:
    """The line of the first value, and the texts."""
    found = list(values)
    calls.append("join")
    return found[0][0], "".join(text for _, (_, text) in found)


@part_fact(joined)
def text_of(document: Document, mark: str) -> tuple[int, str]:
    """The text of a part, and a line number; records that it was computed."""
    calls.append(mark)
    return 0, document.text


def check_parts(document: Document) -> None:
    """Parts are in order, have all text, and begin at the start of a line."""
    text, smallest = "", list[Part]()
    for part in parts(document):
        assert text.count("\n") + text.replace("\r\n", "").count("\r") == part.first_line
        assert not text or text.endswith(("\n", "\r"))
        assert "".join(function.text for function in part.functions) == text_of(part, "m")[1]
        text += text_of(part, "m")[1]
        smallest += part.divided()
    assert text == document.text
    assert [f for part in smallest for f in part.functions] == [*document.leaves()]
    for part, after in pairwise(smallest):
        assert part.first_line + sum(f.extent.lines for f in part.functions) == after.first_line
        assert all(f.extent.columns for f in part.functions[:-1])
        assert not part.functions[-1].extent.columns


@settings(max_examples=60)
@given(st.lists(st.sampled_from(PIECES), max_size=12), st.integers(1, 300))
def test_any_text(pieces: list[str], count: int) -> None:
    check_parts(Document.read("".join(pieces)))
    check_parts(Document.read("".join(pieces) + "\n" + FUNCTION * count + "".join(pieces)))


def test_an_edit_leaves_all_other_parts_as_they_are() -> None:
    document = Document.read(FUNCTION * 1000)
    before = [text_of(part, "a") for part in parts(document)]
    document = edited(document, Position(401, 0), Position(401, 0), "\n")
    calls.clear()
    after = [text_of(part, "a") for part in parts(document)]
    assert calls == ["a", "join"]
    assert len(before) == len(after) > 7
    assert sum(one is not other for one, other in zip(before, after, strict=True)) == 1
    assert "".join(text for _, text in after) == document.text


def test_functions_with_a_common_line_are_read_together() -> None:
    document = Document.read("// a\n.func f() { ret; } .func g() {\n}\n.func h() {}\n")
    (group,) = parts(document)
    found = [(part.first_line, part.is_single, text_of(part, "")[1]) for part in group.divided()]
    assert found == [
        (0, True, "// a\n"),
        (1, False, ".func f() { ret; } .func g() {\n}\n"),
        (3, True, ".func h() {}\n"),
    ]
