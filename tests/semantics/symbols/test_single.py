"""The only statement of a line with a string or comment is what a cutter finds in it."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.document.coordinates import on_row
from ptx_ls.semantics.symbols.region_text import Found, single
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Kind, MultiLine
from ptx_ls.syntax.statements import Cutter

WORDS = st.sampled_from(
    (
        '"',
        '"a"',
        ".pragma",
        '"a',
        " ",
        ";",
        "#",
        ".b8",
        "add.u32",
        "%r1",
        ",",
        "L:",
        "//",
        "// c",
        "/",
        "/*",
        "*/",
        "{",
        "\t",
    )
)


@settings(max_examples=1000)
@given(
    st.lists(WORDS, max_size=5),
    st.sampled_from(('"', "//", "")),
    st.lists(WORDS, max_size=3),
    st.sampled_from(("", "\n", "\r\n")),
)
@example([".b8", "\t", ".b8"], "", [], "")
@example([".b8", " ", "%r1"], "//", [" ", '"'], "\n")
@example(["add.u32", " ", "%r1", ";", " "], "//", ["*/"], "\r\n")
def test_the_only_statement_of_a_line(
    words: list[str], mark: str, more: list[str], end: str
) -> None:
    line = "".join([*words, mark, *more]) + end
    (read, *_) = Reader().read_all([line])
    if isinstance(read, MultiLine) or read.kind in (Kind.BLANK, Kind.COMMENT, Kind.LINE):
        return  # it has no statement, or several, or white space belongs to it
    cutter = Cutter()
    cutter.feed(line)
    cutter.close()
    cut = cutter.cuts[0]
    first, last = cut.start[1], cut.end[1]
    assert single(line, read, 3) == Found(read, *on_row(3, first, last), line[first:last])
