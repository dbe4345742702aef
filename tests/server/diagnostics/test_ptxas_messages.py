"""The places of ptxas's messages, on any text and through any edits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.server.diagnostics.ptxas_messages import PtxasMessages, merged
from ptx_ls.source import Diagnostic, Position, Range, Severity
from ptx_ls.toolchain.ptxas import Message

PIECES = ".entry k() |{|}|ret;|bar.sync 0;|\n|\r\n|\r|.target sm_80|//|/*|é| ".split("|")
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
lines = st.one_of(st.none(), st.integers(-2, 40))


def check_place(text: str, line: int | None, words: str, expected: str) -> None:
    """Checks the text that a message is shown at."""
    document = Document.read(text)
    messages = PtxasMessages()
    messages.take(document, [Message(line, "error", words)])
    (message,) = messages.present(document)
    (first, column), (last, end) = message.range
    if first == last:
        shown = document.lines[first][column:end]
    else:
        middle = document.lines[first + 1 : last]
        shown = "".join([document.lines[first][column:], *middle, document.lines[last][:end]])
    assert shown == expected


def test_messages_with_a_line() -> None:
    check_place(".entry k() {\n  ret;\n}", 2, "bad", "ret;")
    check_place(".entry k() {\n  ret; bar.sync 0; // no\n}", 2, "bad", "ret; bar.sync 0;")
    check_place(".entry k() {\n  ret; bar.sync 0; // no\n}", 2, "of 'bar'", "bar.sync 0;")
    check_place(".entry k() {\n  add.u32\n  %r1, 1, 2;\n}", 3, "bad", "add.u32\n  %r1, 1, 2;")
    check_place("// nothing\n", 1, "bad", "// nothing")
    check_place("ret;\n", 99, "bad", "")


def test_messages_without_a_line() -> None:
    text = ".version 8.0\n.target sm_80\n.entry j() { ret; }\n.entry k()\n{\nret;\n}\n"
    check_place(text, None, "too large: 'k'", "k")
    check_place(text, None, "Value 'sm_80' is not defined", ".target sm_80")
    check_place("ret;", None, "bad", "ret;")
    check_place("", None, "bad", "")


def test_a_message_like_one_of_ours_is_not_repeated() -> None:
    place, other = (Range(Position(line, 0), Position(line, 3)) for line in (1, 2))
    document = Document.read("\nret;\nret;\n")
    for severity, n_left in ((Severity.ERROR, 1), (Severity.WARNING, 2)):
        messages = PtxasMessages()
        messages.take(document, [Message(2, "error", "bad"), Message(3, "warning", "slow")])
        ours = [Diagnostic(place, "a", severity, "ours"), Diagnostic(other, "b", Severity.HINT, "")]
        found, left = merged(ours, messages.present(document))
        assert len(left) == n_left
        assert [len(it.related) for it in found] == [2 - n_left, 0]


@given(texts, st.lists(lines), texts, st.integers(0, 20), st.integers(0, 20))
def test_any_text(text: str, where: list[int | None], more: str, first: int, last: int) -> None:
    document = Document.read(text)
    messages = PtxasMessages()
    messages.take(document, [Message(line, "error", "of 'k'") for line in where])
    assert len(messages.present(document)) == len(where)
    document = edited(document, Position(first, 0), Position(max(first, last), 1), more)
    for message in messages.present(document):
        assert message.range.end.line < len(document.lines)
        assert message.range.start <= message.range.end
    messages.take(document, [])
    assert messages.present(document) == []
