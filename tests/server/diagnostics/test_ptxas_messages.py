"""Where the messages of ptxas stand, on any text and through any edits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.server.diagnostics.ptxas_messages import Sayings, merged
from ptx_ls.source import Diagnostic, Position, Range, Severity
from ptx_ls.syntax.document import Document
from ptx_ls.toolchain.ptxas import Message

PIECES = ".entry k() |{|}|ret;|bar.sync 0;|\n|\r\n|\r|.target sm_80|//|/*|é| ".split("|")
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
lines = st.one_of(st.none(), st.integers(-2, 40))


def check_said(text: str, line: int | None, words: str, expected: str) -> None:
    """Checks the text that a message is shown at."""
    document = Document(text)
    sayings = Sayings()
    sayings.take(document, [Message(line, "error", words)])
    (said,) = sayings.present(document)
    (first, column), (last, end) = said.range
    if first == last:
        shown = document.lines[first][column:end]
    else:
        middle = document.lines[first + 1 : last]
        shown = "".join([document.lines[first][column:], *middle, document.lines[last][:end]])
    assert shown == expected


def test_messages_with_a_line() -> None:
    check_said(".entry k() {\n  ret;\n}", 2, "bad", "ret;")
    check_said(".entry k() {\n  ret; bar.sync 0; // no\n}", 2, "bad", "ret; bar.sync 0;")
    check_said(".entry k() {\n  ret; bar.sync 0; // no\n}", 2, "of 'bar'", "bar.sync 0;")
    check_said(".entry k() {\n  add.u32\n  %r1, 1, 2;\n}", 3, "bad", "add.u32\n  %r1, 1, 2;")
    check_said("// nothing\n", 1, "bad", "// nothing")
    check_said("ret;\n", 99, "bad", "")


def test_messages_without_a_line() -> None:
    text = ".version 8.0\n.target sm_80\n.entry j() { ret; }\n.entry k()\n{\nret;\n}\n"
    check_said(text, None, "too large: 'k'", "k")
    check_said(text, None, "Value 'sm_80' is not defined", ".target sm_80")
    check_said("ret;", None, "bad", "ret;")
    check_said("", None, "bad", "")


def test_what_is_said_by_us_as_severely_is_not_said_twice() -> None:
    place, other = (Range(Position(line, 0), Position(line, 3)) for line in (1, 2))
    document = Document("\nret;\nret;\n")
    for severity, n_left in ((Severity.ERROR, 1), (Severity.WARNING, 2)):
        sayings = Sayings()
        sayings.take(document, [Message(2, "error", "bad"), Message(3, "warning", "slow")])
        ours = [Diagnostic(place, "a", severity, "ours"), Diagnostic(other, "b", Severity.HINT, "")]
        found, left = merged(ours, sayings.present(document))
        assert len(left) == n_left
        assert [len(it.related) for it in found] == [2 - n_left, 0]


@given(texts, st.lists(lines), texts, st.integers(0, 20), st.integers(0, 20))
def test_any_text(text: str, where: list[int | None], more: str, first: int, last: int) -> None:
    document = Document(text)
    sayings = Sayings()
    sayings.take(document, [Message(line, "error", "of 'k'") for line in where])
    assert len(sayings.present(document)) == len(where)
    document.edit(Position(first, 0), Position(max(first, last), 1), more)
    for said in sayings.present(document):
        assert said.range.end.line < len(document.lines)
        assert said.range.start <= said.range.end
    sayings.take(document, [])
    assert sayings.present(document) == []
