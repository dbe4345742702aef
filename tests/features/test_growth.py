"""An answer takes work in proportion to the text, and to little of a long statement."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import pytest

from benchmarks.growth.run import SERIES
from ptx_ls.document.document import Document
from ptx_ls.features.hints.code_lenses import LensKind, lenses
from ptx_ls.features.hints.hint import HintKind
from ptx_ls.features.hints.inlay_hints import hints
from ptx_ls.features.hover.hover import hover
from ptx_ls.features.structure.document_symbols import document_symbols
from ptx_ls.features.structure.folding import folds
from ptx_ls.features.structure.module_symbols import module_symbols
from ptx_ls.features.structure.selection import selections
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position
from ptx_ls.syntax import parser
from ptx_ls.syntax.statement import MAX_ANALYSED
from tests.support import answers
from tests.support.steps import n_steps

_TEXTS: Final = {series.name: series for series in SERIES}
_SMALL: Final = 2_000
_FACTOR: Final = 4
_MAX_RATIO: Final = 5
_SLACK: Final = 4_000
"""Calls that the first text of a kind takes once."""

_N_SHOWN: Final = 200
"""Lines of a large screenful."""


def hints_of(document: Document) -> object:
    return hints(Analysis(document), 0, len(document.lines), list(HintKind))


def special_hints_of(document: Document) -> object:
    return hints(Analysis(document), 0, len(document.lines), [HintKind.SPECIAL_REGISTER])


def first_screenful(document: Document) -> object:
    return answers.highlighter().rows_between(document, 0, _N_SHOWN)


def last_screenful(document: Document) -> object:
    n_lines = len(document.lines)
    return answers.highlighter().rows_between(document, max(0, n_lines - _N_SHOWN), n_lines)


LISTS: Final[Sequence[Callable[[Document], object]]] = (
    document_symbols,
    lambda document: lenses(document, list(LensKind)),
    folds,
    answers.links_of,
    lambda document: answers.highlighter().rows(document),
    first_screenful,
    last_screenful,
    hints_of,
    special_hints_of,
)
"""The work for each list that an editor shows of a document."""


def ask(document: Document) -> None:
    """Asks for all lists that an editor shows of a document."""
    for work in LISTS:
        work(document)
    deque(module_symbols(document), maxlen=0)


def check_document(series: str) -> None:
    """Fails if what is shown of a document takes work out of proportion to its text."""
    sizes = _SMALL // 2, _SMALL, _FACTOR * _SMALL
    _, few, many = (
        n_steps(lambda document=document: ask(document))  # type: ignore[misc]
        for document in (Document.read(_TEXTS[series].of_size(size)) for size in sizes)
    )
    assert many <= _MAX_RATIO * few + _SLACK


@pytest.mark.slow
@pytest.mark.parametrize(
    "series",
    [
        "variables in one declaration",
        "registers in one declaration",
        "arguments of a call",
        "parameters of a function",
        "instructions on one line",
        "labels on one line",
        "functions on one line",
        "operands, one per line",
    ],
)
def test_what_is_shown_of_a_document(series: str) -> None:
    check_document(series)


@pytest.mark.slow
@pytest.mark.parametrize(
    "series",
    [
        "operands of an instruction",
        "operands, one per line",
        "nested parentheses",
        "rows in an array",
        "numbers in an array, one per line",
        "variables in one declaration",
        "targets of one switch",
    ],
)
def test_no_tree_of_a_long_statement(series: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document.read(_TEXTS[series].of_size(40_000))
    analysis = Analysis(document)
    line = max(range(len(document.lines)), key=lambda number: len(document.lines[number]))
    middle = Position(line, len(document.lines[line]) // 2)
    lengths: list[int] = []
    parse = parser.parse

    def noted(text: str) -> parser.Parsed:
        lengths.append(len(text))
        return parse(text)

    monkeypatch.setattr(parser, "parse", noted)
    for position in (middle, Position(len(document.lines) // 2, 2)):
        hover(analysis, position)
        selections(analysis, position)
    assert max(lengths, default=0) <= MAX_ANALYSED
