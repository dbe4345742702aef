import io
import os
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.cli import console


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def check_colour(
    wish: str, expected: str, environment: Mapping[str, str], stream: io.StringIO | None = None
) -> None:
    has_colour = console.has_colour(stream or Terminal(), wish, environment)
    assert has_colour == (expected == "colour")


def check_escaped(text: str, expected: str) -> None:
    assert console.escaped(text) == expected


def test_colours_are_for_terminals() -> None:
    check_colour("auto", "colour", {"TERM": "xterm"})
    check_colour("auto", "plain", {"TERM": "dumb"})
    check_colour("auto", "plain", {}, io.StringIO())


def test_a_closed_stream_is_no_terminal() -> None:
    stream = io.StringIO()
    stream.close()
    check_colour("auto", "plain", {}, stream)


def test_environment_decides_on_colours() -> None:
    check_colour("auto", "plain", {"NO_COLOR": "1"})
    check_colour("auto", "colour", {"FORCE_COLOR": "1"}, io.StringIO())
    check_colour("auto", "plain", {"NO_COLOR": "1", "FORCE_COLOR": "1"})
    check_colour("auto", "colour", {"NO_COLOR": ""})


def test_an_option_outweighs_the_environment() -> None:
    check_colour("always", "colour", {"NO_COLOR": "1"}, io.StringIO())
    check_colour("never", "plain", {"FORCE_COLOR": "1"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ld.global", "ld.global"),
        ("größer 中 \U0001f600", "größer 中 \U0001f600"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\x1b[31m\x00\x7f", "\\x1b[31m\\x00\\x7f"),
        ("\u202e\u2028", "\\u202e\\u2028"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_what_is_not_visible_is_escaped(text: str, expected: str) -> None:
    check_escaped(text, expected)


def test_bytes_of_a_path_that_are_no_text() -> None:
    check_escaped(os.fsdecode(b"n\xff.ptx"), "n\\xff.ptx")


@given(st.text())
def test_escaped_text_is_printable(text: str) -> None:
    assert console.escaped(text.encode("utf-8", "ignore").decode()).isprintable()


def test_a_pipe_has_a_width() -> None:
    assert console.width(io.StringIO()) == 200


def test_a_narrow_terminal_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "3")
    assert console.width(Terminal()) == 40
    monkeypatch.setenv("COLUMNS", "100")
    assert console.width(Terminal()) == 100
