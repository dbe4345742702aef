import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.cli.page_text import PageText
from ptx_ls.handbook.page import Block, Bullets, Code, Heading, Page, Table, TableOfContents, Text

WORDS = st.lists(st.from_regex(r"[a-z`*.]{1,12}", fullmatch=True), min_size=1, max_size=30)


def check_text(
    blocks: list[Block], expected: str, width: int = 40, *, colour: bool = False
) -> None:
    text = PageText(width, has_colour=colour).text(Page("`op`", tuple(blocks)))
    assert text == ("\x1b[1mop\x1b[0m" if colour else "op") + "\n\n" + expected


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (Heading(2, "What `it` does"), "WHAT IT DOES\n"),
        (Heading(3, "A part"), "-- A part\n"),
        (Heading(4, "A `.b` part"), "- A .b part\n"),
        (Text("One **bold** and `code` and [link](page#part)."), "One bold and `code` and link.\n"),
        (Text("A line\nthat goes on.\n\n- one\n- two\n  more"), None),
        (Code("a\n  b\n"), "    a\n      b\n"),
        (Bullets(("one", "two")), "- one\n- two\n"),
    ],
)
def test_blocks(block: Block, expected: str | None) -> None:
    check_text([block], expected or "A line that goes on.\n\n- one\n- two more\n")


def test_contents_are_for_files() -> None:
    check_text([TableOfContents(3, 4), Text("x")], "x\n")


def test_long_lines_are_folded() -> None:
    check_text([Text("word " * 10)], "word word word word\nword word word word\nword word\n", 20)
    check_text([Bullets(("word " * 6,))], "- word word word\n  word word word\n", 16)


def test_table() -> None:
    rows = (("`.a`", "", "first words of it"), ("`.bcd`", "", "second"))
    table = Table(("modifier", "place", "meaning"), rows)
    check_text([table], ".a    first words of it\n.bcd  second\n")
    check_text([table], ".a    first words of\n      it\n.bcd  second\n", 22)


def test_table_within_a_text() -> None:
    text = "One:\n\n| a | b |\n|---|---|\n| `x\\|y` | z |\n\nTwo."
    check_text([Text(text)], "One:\n\na    b\nx|y  z\n\nTwo.\n")


def test_table_that_does_not_fit() -> None:
    table = Table(("name", "meaning"), (("`" + "x" * 15 + "`", "y" * 15),))
    check_text([table], f"{'x' * 15}\n    meaning: {'y' * 15}\n", 20)


def test_colours_do_not_count() -> None:
    text = "`aaaa` `bbbb` `cccc`"
    blue = "\x1b[36m{}\x1b[0m".format
    expected = f"{blue('aaaa')} {blue('bbbb')}\n{blue('cccc')}\n"
    check_text([Text(text)], expected, 10, colour=True)


@given(words=WORDS, width=st.integers(10, 120), colour=st.booleans())
def test_nothing_is_lost(words: list[str], width: int, *, colour: bool) -> None:
    text = " ".join(words)
    table = Table(("a", "b"), ((text, text),))
    page = Page("op", (Text(text), Bullets((text,)), table))
    shown = re.sub(r"\x1b\[[\d;]*m", "", PageText(width, has_colour=colour).text(page))
    letters = "".join(re.findall("[a-z]", text))
    found = "".join(re.findall("[a-z]", shown.replace("b: ", "")))
    assert sorted(found.removeprefix("op")) == sorted(letters * 4)
