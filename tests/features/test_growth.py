"""An answer takes work in proportion to the text, and to little of a long statement."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.growth.run import SERIES
from benchmarks.growth.series import END, HEADER, KERNEL, plain
from ptx_ls.document import document
from ptx_ls.document.braces import braces
from ptx_ls.document.document import Document
from ptx_ls.document.located import LocatedFunction
from ptx_ls.features.hints.code_lenses import LensKind, lenses
from ptx_ls.features.hints.inlay_hints import HintKind, hints
from ptx_ls.features.hover.hover import hover
from ptx_ls.features.navigation.source_links import source_links
from ptx_ls.features.structure.document_symbols import document_symbols
from ptx_ls.features.structure.folding import folds
from ptx_ls.features.structure.module_symbols import module_symbols
from ptx_ls.features.structure.selection import selections
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position
from ptx_ls.source.steps import finished
from ptx_ls.syntax import parser, reader
from ptx_ls.syntax.record import MultiLine, Record, Shape
from ptx_ls.syntax.statement import MAX_ANALYSED
from tests.support import answers
from tests.support.steps import longest_step, n_steps

_TEXTS: Final = {series.name: series for series in SERIES}
_SPECIAL: Final = "\tmov.u32 %r1, %tid.x;\n" + END
_STEPS: Final = _TEXTS | {
    series.name: series
    for series in (
        plain("files and locations", '.file # "a.cu"\n\t.loc # 3 1\n', HEADER + KERNEL, END),
        plain("locations of no file", "\t.loc # 3 1\n", HEADER + KERNEL, END),
        plain(
            "functions before a special register",
            ".func f#()\n{\n\tret;\n}\n",
            HEADER,
            KERNEL + _SPECIAL,
        ),
        plain("variables before a special register", ".local .b8 v#;\n", HEADER + KERNEL, _SPECIAL),
    )
}
_PIECES: Final = [
    *[".func f()", "{", "}", "\n", "\r\n", "\r", ";", ";\n", '"', "//", "/*", "*/", "L:", ".loc"],
    *["ret;\n", "add.u32 %r1, 2,", ".reg .b32 a,", "(", ")", " ", "\n.entry k() {\n", ".b8 1,"],
    *[".section .debug_info\n", "@%p bra L;\n", "\\", "# 1", "ret; " * 20, "\n" * 4],
]
_SMALL: Final = 2_000
_LONG: Final = 25_000
"""As the growth benchmark has a server open."""
_FACTOR: Final = 4
_MAX_RATIO: Final = 5
_SLACK: Final = 4_000
"""Calls that the first text of a kind takes once."""


_MAX_CALLS: Final = 16_000
"""Calls of one step, in a text that takes some 100,000 in all: about 10 ms."""


_MAX_CALLS_OF_LONG: Final = 40_000
"""The same for a statement of 12,500 tokens, of which some loops look at each in one step."""


_N_SHOWN: Final = 200
"""Lines of a large screenful."""


def hints_of(document: Document) -> Generator[None, None, object]:
    return hints(Analysis(document), 0, len(document.lines), list(HintKind))


def special_hints_of(document: Document) -> Generator[None, None, object]:
    return hints(Analysis(document), 0, len(document.lines), [HintKind.SPECIAL_REGISTER])


def first_screenful(document: Document) -> Generator[None, None, object]:
    return answers.highlighter().rows_between(document, 0, _N_SHOWN)


def last_screenful(document: Document) -> Generator[None, None, object]:
    n_lines = len(document.lines)
    return answers.highlighter().rows_between(document, max(0, n_lines - _N_SHOWN), n_lines)


LISTS: Final[Sequence[Callable[[Document], Generator[None, None, object]]]] = (
    document_symbols,
    lambda document: lenses(document, list(LensKind)),
    folds,
    source_links,
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
        deque(work(document), maxlen=0)
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
        "variables of a declaration",
        "registers of a declaration",
        "arguments of a call",
        "parameters of a function",
        "instructions on a line",
        "labels on a line",
        "functions on a line",
        "operands over lines",
    ],
)
def test_what_is_shown_of_a_document(series: str) -> None:
    check_document(series)


@pytest.mark.slow
@pytest.mark.parametrize(
    "series",
    [
        "words on a line",
        "numbers on a line",
        "functions on a line",
        "labels on a line",
        "guards on a line",
        "registers of a declaration",
        "rows of an array",
        "aliases",
        "managed variables",
        "unknown directives",
        "heads without an end",
        "parentheses without an end",
        "comments without an end",
        "calls of many functions",
        "blocks with declarations",
        "files and locations",
        "locations of no file",
        "functions before a special register",
        "variables before a special register",
    ],
)
def test_no_step_takes_long(series: str) -> None:
    ask(Document.read(_STEPS[series].of_size(_SMALL // 2)))  # loads what is needed once
    text = _STEPS[series].of_size(_FACTOR * _SMALL)
    assert longest_step(Document.reading(text)) <= _MAX_CALLS
    for work in LISTS:  # each of a new document, of which nothing is known yet
        assert longest_step(work(Document.read(text))) <= _MAX_CALLS


@pytest.mark.slow
@pytest.mark.parametrize(
    "series",
    [
        "nested sums",
        "signs of an operand",
        "operands of an instruction",
        "arguments of a call without parameters",
        "elements of a vector",
        "modifiers of an instruction",
        "one modifier of an instruction",
        "operands over lines",
        "values over lines",
        "targets of a branch, undeclared",
        "targets",
        "quotes on a line",
        "JSON",
    ],
)
def test_no_step_of_a_long_statement_takes_long(series: str) -> None:
    ask(Document.read(_STEPS[series].of_size(_SMALL)))  # loads what is needed once
    text = _STEPS[series].of_size(_LONG)
    assert longest_step(Document.reading(text)) <= _MAX_CALLS_OF_LONG
    for work in LISTS:
        assert longest_step(work(Document.read(text))) <= _MAX_CALLS_OF_LONG


@pytest.mark.slow
@pytest.mark.parametrize("series", _TEXTS)
def test_reading_in_steps_is_reading(series: str) -> None:
    check_reading(_TEXTS[series].of_size(_SMALL))


@given(st.lists(st.sampled_from(_PIECES) | st.text(max_size=3), max_size=60).map("".join))
def test_reading_any_text_in_steps_is_reading(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document, "_MAX_CHARACTERS_OF_STEP", 10)
        patch.setattr(document, "_MAX_LINES_OF_STEP", 4)
        patch.setattr(reader, "_MAX_NEW_PIECES", 2)
        patch.setattr(reader, "_MAX_LINES_AFTER_NEW", 2)
        check_reading(text)


def check_reading(text: str) -> None:
    """Fails if a text that is read in steps is not the same document."""
    whole, in_steps = Document.read(text), finished(Document.reading(text))
    assert list(in_steps.lines) == list(whole.lines)
    assert list(map(_read, in_steps.records)) == list(map(_read, whole.records))
    assert list(map(_described, in_steps.functions)) == list(map(_described, whole.functions))


def _described(located: LocatedFunction) -> object:
    """Where a function is, and what its braces are."""
    return located.start, located.stop_line, located.head, braces(located.function)


def _read(record: Record) -> object:
    """What a line was read as, to be compared with what another reader made of it."""
    pieces = record.pieces if isinstance(record, MultiLine) else ()
    text = record.text if isinstance(record, Shape) else ""
    return record.kind, record.problems, text, [(*it[1:], it.record.kind) for it in pieces]


@pytest.mark.slow
@pytest.mark.parametrize(
    "series",
    [
        "operands of an instruction",
        "operands over lines",
        "nested parentheses",
        "rows of an array",
        "numbers of an array, one per line",
        "variables of a declaration",
        "targets of a switch",
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
