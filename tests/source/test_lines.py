import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.source.lines import content_length, split_lines

TEXTS = st.text(alphabet="ab \t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029é\U0001f600", max_size=30)


def check_lines(text: str, expected: list[str]) -> None:
    assert split_lines(text) == expected


def test_empty_text_is_one_empty_line() -> None:
    check_lines("", [""])


def test_last_line_without_terminator() -> None:
    check_lines("ret;\n}", ["ret;\n", "}"])


def test_a_terminator_at_the_end_opens_an_empty_line() -> None:
    check_lines("ret;\n", ["ret;\n", ""])
    check_lines("ret;\r", ["ret;\r", ""])
    check_lines("\f\r\n", ["\f\r\n", ""])


def test_all_terminators() -> None:
    check_lines("a\nb\r\nc\rd", ["a\n", "b\r\n", "c\r", "d"])
    check_lines("\n\r\r\n\n", ["\n", "\r", "\r\n", "\n", ""])


@pytest.mark.parametrize("character", "\v\f\x1c\x1d\x1e\x85\u2028\u2029")
def test_what_python_calls_a_line_break_is_none(character: str) -> None:
    check_lines(f"a{character}b\nc", [f"a{character}b\n", "c"])


def test_no_character_of_unicode_is_forgotten() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    breaks = {line[-1] for line in every.splitlines(keepends=True)} - {"\n", "\r"}
    for character in breaks - {chr(sys.maxunicode)}:
        check_lines(f"a{character}b", [f"a{character}b"])


@given(TEXTS)
def test_joined_lines_are_the_text(text: str) -> None:
    assert "".join(split_lines(text)) == text


@given(TEXTS)
def test_only_the_last_line_has_no_terminator(text: str) -> None:
    *terminated, last = split_lines(text)
    for line in terminated:
        content = line.removesuffix("\n").removesuffix("\r") if line[-1] == "\n" else line[:-1]
        assert content != line
        assert not {"\n", "\r"} & set(content)
    assert not {"\n", "\r"} & set(last)


@given(TEXTS)
def test_lines_are_those_of_a_file_opened_with_universal_newlines(text: str) -> None:
    lines = io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8", newline="").readlines()
    if not lines or lines[-1][-1] in "\n\r":
        lines.append("")
    check_lines(text, lines)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", 0),
        ("ret;", 4),
        ("ret;\n", 4),
        ("ret;\r", 4),
        ("ret;\r\n", 4),
        ("\r\n", 0),
        ("é\f\n", 2),
    ],
)
def test_content_length(line: str, expected: int) -> None:
    assert content_length(line) == expected
