"""A line that is four times as long takes about four times the steps.

Steps are calls of functions in Python and in C, because time would depend on the machine. The work
of one call on a whole line is not counted, so no mismatch may have a copy of its line.
"""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, Final

import pytest

from benchmarks.growth import long_lines
from benchmarks.growth.series import END, HEADER, KERNEL
from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.formatting import FormatStyle
from ptx_ls.formatting.formatter import formatted
from ptx_ls.lint import lint
from ptx_ls.source import Position
from tests.support.steps import n_steps

if TYPE_CHECKING:
    from collections.abc import Callable

_SERIES: Final = {series.name: series for series in long_lines.SERIES}
_SMALL: Final = 4_000
"""Bytes; the trees of shorter statements are remembered, and the forms of shorter lines."""
_FACTOR: Final = 4
_MAX_RATIO: Final = 1.25 * _FACTOR
_NAMES: Final = (
    "guards on one line",
    "operands without commas on one line",
    "wrong types on one line",
    "opening braces on one line",
    "opening parentheses on one line",
    "functions on one line",
    "branches to the next label on one line",
    "unread results on one line",
    "blocks outside of functions on one line",
    "nested parentheses",
    "operands of an instruction",
    "opening parentheses, one per line",
    "block comments on one line",
)
_SLACK: Final = 4_000
"""Steps that the first text of a kind takes once, for what is loaded and remembered then."""


def check_growth(name: str, work: Callable[[str], object]) -> None:
    """Fails if `work` takes steps out of proportion to the text of a series."""
    series = _SERIES[name]
    small, large = series.of_size(_SMALL), series.of_size(_SMALL * _FACTOR)
    work(series.of_size(_SMALL // 2))
    few, many = (n_steps(lambda text=text: work(text)) for text in (small, large))  # type: ignore[misc]
    assert many <= _MAX_RATIO * few + _SLACK


def edit(text: str) -> None:
    """Types in the middle of the longest line."""
    document = Document.read(text)
    line = max(range(len(document.lines)), key=lambda number: len(document.lines[number]))
    place = Position(line, len(document.lines[line]) // 2)
    edited(document, place, place, "a")


@pytest.mark.slow
@pytest.mark.parametrize("name", _NAMES)
def test_lint(name: str) -> None:
    check_growth(name, lambda text: lint(Document.read(text)))


@pytest.mark.slow
@pytest.mark.parametrize("name", _NAMES)
def test_formatting(name: str) -> None:
    check_growth(name, lambda text: formatted(text, FormatStyle()))


@pytest.mark.slow
@pytest.mark.parametrize("name", _NAMES)
def test_editing(name: str) -> None:
    check_growth(name, edit)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["operands without commas on one line", "guards on one line"])
def test_mistakes_hold_no_copy_of_their_line(name: str) -> None:
    text = _SERIES[name].of_size(40_000)
    lint(Document.read(text))
    document = Document.read(text)
    tracemalloc.start()
    lint(document)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 400 * len(text)


def test_an_instruction_that_is_too_long_once_it_is_normalized() -> None:
    line = '""' * 25_000 + "ret;\n"
    found = lint(Document.read(f"{HEADER}{KERNEL}{line}{END}"))
    assert [one.rule for one in found] == ["syntax-error"]
