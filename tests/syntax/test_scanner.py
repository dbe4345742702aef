"""Looking lines up, in C and in Python: both find the same, and are safe with anything."""

import hashlib
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.source.lines import split_lines
from ptx_ls.syntax import record, scanner
from ptx_ls.syntax.record import Record
from tests.support.reading import (
    MODES,
    describe,
    read_alone,
    read_together,
    require_built,
    scanned_by,
)

CORPUS = Path(__file__).parents[1] / "corpus"
TEXTS = [
    path.read_bytes().decode("utf-8", "surrogateescape")
    for folder in ("handwritten", "ptx", "rejected")
    for path in sorted((CORPUS / folder).glob("*.ptx"))
]
DIGITS = re.compile(r"\d+", re.ASCII)
CORPUS_LINES = sorted(
    {DIGITS.sub("0", line): line for text in TEXTS for line in split_lines(text)}.values()
)


def check_scan(text: str) -> None:
    """Scans a text in every way, and compares with each line read alone."""
    lines = split_lines(text)
    alone = [describe(found) for found in read_alone(lines)]
    for compiled in MODES:
        assert [describe(found) for found in read_together(lines, compiled)] == alone


def test_it_is_built() -> None:
    assert require_built().source == scanner.SOURCE


def test_the_source_is_the_one_that_python_asks_for() -> None:
    source = Path(scanner.__file__).with_name("_scanner.c").read_text("utf-8")
    found = hashlib.sha256(source.encode()).hexdigest()[:12]
    assert found == scanner.SOURCE, f"_scanner.c changed: write SOURCE = {found!r} in scanner.py"


WORDS = [
    "add",
    ".u",
    "32",
    "%r",
    "%p",
    "@",
    "@!",
    " ",
    "\t",
    ".",
    ":",
    "$",
    "_",
    "U",
    ";",
    ",",
    "//",
]
WORDS += ["0x", "0X1f", "0f3F800000", "0d", "08", "017", "9" * 20, "0" * 21, "1.5", "e5", "[", "]"]
WORDS += ["\r", "\f", "\v", "\0", "\1", "\2", "\7", "\x1f", "\x7f", "é", "\u0663", "\ud800"]
WORDS += ["//", "{", "}", "(", ")", ".reg", ".b", "L", '"', "/*", "*/", "bra ", "ld.v", "\n", ";\n"]
words = st.sampled_from(WORDS)
digits = st.sampled_from(["0", "1", "7", "8", "9", "10", "16", "32", "64", "128", "08", "5" * 20])


@settings(max_examples=300)
@given(st.lists(words | digits, max_size=40).map("".join))
@example("add.u32 %r1, %r2, 3;\r\nadd.u32 %r1, %r2, 3;\radd.u32 %r4, %r5, 6;")
@example("mov.b32 a, 0x1F;\nmov.b32 a, \1x;\n")
@example("\2mov.b32 a, 1;\nmov.b32 a, 1;\n\2é1\né1\n")
def test_texts_of_ptx_words(text: str) -> None:
    check_scan(text)


@settings(max_examples=200)
@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    check_scan(text)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_real_lines_with_other_digits(data: st.DataObject) -> None:
    def change(line: str) -> str:
        return DIGITS.sub(lambda _: data.draw(digits), line)

    lines = data.draw(st.lists(st.sampled_from(CORPUS_LINES), min_size=1, max_size=3))
    check_scan("".join(part for line in lines for part in (line, change(line), change(line))))


@pytest.mark.slow
def test_the_corpus_is_read_the_same() -> None:
    compiled = require_built()
    for text in TEXTS:
        lines = split_lines(text)
        python, c = (read_together(lines, mode) for mode in (None, compiled))
        assert [describe(found) for found in c] == [describe(found) for found in python]


def test_more_lines_than_a_block() -> None:
    line = "add.u32 %r{0}, %r{0}, {0};\n"
    text = "".join(line.format(n) if n % 5000 else "mov.b32\na,\n1;\n" for n in range(20_000))
    lines = split_lines(text)
    found = [[describe(each) for each in read_together(lines, mode)] for mode in MODES]
    assert len(found[0]) == len(lines)
    assert found.count(found[0]) == len(found)


def scan(lines: list[Any], read: Any, known: Any = None) -> list[Any]:  # noqa: ANN401  wrong on purpose
    """Scans in C with a callback of the test's own."""
    scanned: list[Any] = require_built().scan(lines, {} if known is None else known, read)
    return scanned


@pytest.mark.parametrize("compiled", MODES, ids=lambda mode: "C" if mode else "Python")
def test_an_error_in_the_callback_is_passed_on(compiled: Any) -> None:  # noqa: ANN401
    def read(_number: int, _key: scanner.Key) -> tuple[Record, int]:
        raise KeyError("mine")

    with scanned_by(compiled), pytest.raises(KeyError, match="mine"):
        scanner.scan(["a\n"], {}, read)


@pytest.mark.parametrize("compiled", MODES, ids=lambda mode: "C" if mode else "Python")
def test_a_record_stands_for_all_lines_up_to_its_end(compiled: Any) -> None:  # noqa: ANN401
    numbers: list[int] = []

    def read(number: int, _key: scanner.Key) -> tuple[Record, int]:
        numbers.append(number)
        return record.COMMENT, number + 3

    with scanned_by(compiled):
        assert scanner.scan(list("abcdef"), {}, read) == [record.COMMENT] * 6
    assert numbers == [0, 3]


@pytest.mark.parametrize("result", [None, (), (1,), (1, "x"), (1, 2, 3), (1, 2**80)])
def test_a_wrong_result_of_the_callback_is_an_error(result: object) -> None:
    with pytest.raises((TypeError, SystemError, OverflowError)):
        scan(["a"], lambda _number, _key: result)


@pytest.mark.parametrize("stop", [-5, 0, 1])
def test_the_callback_cannot_go_back(stop: int) -> None:
    assert scan(["a", "b"], lambda _number, key: (key, stop)) == ["a", "b"]


def test_lines_that_the_callback_takes_away() -> None:
    lines = [f"{chr(65 + n)} {'x' * 50}" for n in range(20)]

    def read(number: int, key: str) -> tuple[str, int]:
        del lines[10:]
        lines[number] = "gone"
        return key, number + 1

    assert [key[0] for key in scan(lines, read)] == list("ABCDEFGHIJ")


def test_what_is_no_text_is_given_to_the_callback() -> None:
    assert scan([None, 1, b"x"], lambda number, key: (key, number + 1)) == [None, 1, b"x"]
    with pytest.raises(TypeError):
        scan([[]], lambda number, key: (key, number + 1))
    with pytest.raises(TypeError):
        scan(["a"], lambda number, key: (key, number + 1), known=[])
    with pytest.raises(TypeError):
        require_built().scan(("a",), {}, print)


def test_no_reference_is_kept() -> None:
    compiled = require_built()
    lines = ["add.u32 %r1, 2;\n" * 9, "é" * 99 + "\n", "\1" * 99, "\ud800" * 99, "bra L1;\n" * 9]
    found = SimpleNamespace()

    def read(number: int, _key: str) -> tuple[SimpleNamespace, int]:
        return found, number + 1

    def fail(number: int, _key: str) -> tuple[SimpleNamespace, int]:
        return read(number, "") if number < 3 else (found, found)  # type: ignore[return-value]

    def counts() -> list[int]:
        return [sys.getrefcount(it) for it in (*lines, lines, known, found, read, ranges, *ranges)]

    known: dict[str, object] = {}
    ranges = tuple(("%" + letter, 7) for letter in "abc")
    before = counts()
    for _ in range(100):
        compiled.scan(lines, known, read)
        with pytest.raises(TypeError):
            compiled.scan(lines, known, fail)
        compiled.may_overflow(lines, ranges)
    assert counts() == before
