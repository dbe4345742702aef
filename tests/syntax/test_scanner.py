"""Looking lines up, in C and in Python: both find the same, and are safe with anything."""

import hashlib
import re
import sys
from array import array
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.source.lines import split_lines
from ptx_ls.source.text_lines import TextLines
from ptx_ls.syntax import record, scanner
from ptx_ls.syntax.record import Record
from tests.support.reading import (
    BUILT,
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
    sources = Path(scanner.__file__).with_name("inner_loops")
    texts = [path.read_text("utf-8") for path in sorted(sources.glob("*.[ch]"))]
    found = hashlib.sha256("".join(texts).encode()).hexdigest()[:12]
    assert found == scanner.SOURCE, f"inner_loops changed: write SOURCE = {found!r} in scanner.py"


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


def test_cut_lines() -> None:
    for text in (
        "",
        "\n",
        "a",
        "a\n",
        "a\r\nb\rc\n\r\r\nd",
        "é\rb\n",
        "\ud800\n",
        "a\vb\fc\x1cd\n",
    ):
        check_lines(text)


@given(st.lists(words | digits, max_size=40).map("".join) | st.text(max_size=60))
def test_cut_any_lines(text: str) -> None:
    check_lines(text)


def check_lines(text: str) -> None:
    """Cuts a text in every way, and compares with the strings of its lines."""
    expected = split_lines(text)
    if not expected[-1]:
        expected.pop()
    for compiled in MODES:
        with scanned_by(compiled):
            lines = scanner.cut_lines(text)
        assert [*lines] == expected
        assert lines[:] == expected
        assert "".join(expected[1:3]) == lines.joined(min(1, len(lines)), min(3, len(lines)))


@pytest.mark.parametrize("n_distinct", [0, 1, 2, 255, 256, 257, 3000])
def test_numbered(n_distinct: int) -> None:
    records = [Record(record.Kind.BLANK) for _ in range(n_distinct)] * 3
    for compiled in MODES:
        with scanned_by(compiled):
            distinct, numbers = scanner.numbered(records)
        assert [*distinct] == records[:n_distinct]
        assert [*numbers] == [*range(n_distinct)] * 3


def scan(lines: list[str], read: Any, compiled: Any = BUILT) -> list[Any]:  # noqa: ANN401  wrong on purpose
    """Scans lines with a callback of the test's own, in C if it is built."""
    with scanned_by(compiled):
        cut = TextLines.of(lines)
        scanned: list[Any] = scanner.known_lines().scan(cut.text, cut.starts, read)
        return scanned


@pytest.mark.parametrize("compiled", MODES, ids=lambda mode: "C" if mode else "Python")
def test_an_error_in_the_callback_is_passed_on(compiled: Any) -> None:  # noqa: ANN401
    def read(_number: int) -> tuple[Record, int, bool]:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        scan(["a\n"], read, compiled)


@pytest.mark.parametrize("compiled", MODES, ids=lambda mode: "C" if mode else "Python")
def test_a_record_stands_for_all_lines_up_to_its_end(compiled: Any) -> None:  # noqa: ANN401
    numbers: list[int] = []

    def read(number: int) -> tuple[Record, int, bool]:
        numbers.append(number)
        return record.COMMENT, number + 3, False

    assert scan([f"{letter}\n" for letter in "abcdef"], read, compiled) == [record.COMMENT] * 6
    assert numbers == [0, 3]


@pytest.mark.parametrize("compiled", MODES, ids=lambda mode: "C" if mode else "Python")
def test_only_shared_records_are_kept(compiled: Any) -> None:  # noqa: ANN401
    numbers: list[int] = []

    def read(number: int) -> tuple[Record, int, bool]:
        numbers.append(number)
        return record.COMMENT, number + 1, number != 1

    lines = ["bra a1;", "bra b1;", "bra a2;", "bra b2;", "é", "é"]
    scan([f"{line}\n" for line in lines], read, compiled)
    assert numbers == [0, 1, 3, 4]


@pytest.mark.parametrize("compiled", MODES, ids=lambda mode: "C" if mode else "Python")
def test_many_lines_are_kept(compiled: Any) -> None:  # noqa: ANN401
    letters = [
        f"{chr(97 + n // 676)}{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}\n" for n in range(9000)
    ]
    records = [Record(record.Kind.BLANK) for _ in letters]

    def read(number: int) -> tuple[Record, int, bool]:
        return records[number], number + 1, True

    found = scan([*letters, *letters], read, compiled)
    assert found == [*records, *records]


def test_a_crowded_place_keeps_no_further_line() -> None:
    """Lines whose hashes are alike take no more time; those that find no place are read again."""
    reads = []

    def read(number: int) -> tuple[Record, int, bool]:
        reads.append(number)
        return record.COMMENT, number + 1, True

    lines = colliding_lines(100) * 2
    assert scan(lines, read) == [record.COMMENT] * 200
    if BUILT is not None:
        assert 100 < len(reads) < 200


def colliding_lines(count: int) -> list[str]:
    """Returns lines without digits whose hashes in C have the same last 16 bits."""
    bits, factor, found = (1 << 64) - 1, 0x9E3779B97F4A7C15, []
    for word in product("abcdefghijklmnop", repeat=6):
        line = "".join(word) + "\n"
        hashed = (len(line) ^ int.from_bytes(line.encode(), "little")) * factor & bits
        if not (hashed ^ hashed >> 32) & 0xFFFF:
            found.append(line)
            if len(found) == count:
                break
    return found


@pytest.mark.parametrize(
    "result", [None, (), (1,), (1, "x"), (1, 2), (1, 2**80, True), (1, 2, 3, 4)]
)
def test_a_wrong_result_of_the_callback_is_an_error(result: object) -> None:
    require_built()
    with pytest.raises((TypeError, SystemError, OverflowError)):
        scan(["a"], lambda _number: result)


@pytest.mark.parametrize("stop", [-5, 0, 1])
def test_the_callback_cannot_go_back(stop: int) -> None:
    require_built()
    assert scan(["a", "b"], lambda number: (number, stop, False)) == [0, 1]


@pytest.mark.parametrize("text", ["ab\ncd\n", "éé\nüü\n", ""])
@pytest.mark.parametrize(
    "starts", [[], [0], [0, 100, 3], [5, 0, 2**62], [-9, -8, 2**63 - 1], [7, 7]]
)
def test_wrong_starts_are_safe(text: str, starts: list[int]) -> None:
    known = require_built().KnownLines()
    found = known.scan(text, array("q", starts), lambda number: (number, number + 1, True))
    assert len(found) == max(0, len(starts) - 1)


def test_wrong_arguments_are_errors() -> None:
    compiled = require_built()
    for arguments in ((b"a", array("q", [0, 1]), print), ("a", [0, 1], print), ("a",)):
        with pytest.raises(TypeError):
            compiled.KnownLines().scan(*arguments)
    for function in (compiled.line_starts, compiled.number):
        with pytest.raises((TypeError, SystemError)):
            function(7)


def test_no_reference_is_kept() -> None:
    compiled = require_built()
    lines = ["add.u32 %r1, 2;\n" * 9, "é" * 99 + "\n", "\1" * 99, "\ud800" * 99, "bra L1;\n" * 9]
    found, cut = SimpleNamespace(), TextLines.of(lines)

    def read(number: int) -> tuple[SimpleNamespace, int, bool]:
        return found, number + 1, number > 1

    def fail(number: int) -> tuple[SimpleNamespace, int, bool]:
        return read(number) if number < 3 else (found, found, True)  # type: ignore[return-value]

    def counts() -> list[int]:
        kept = (*lines, lines, cut.text, cut.starts, found, read, ranges, *ranges)
        return [sys.getrefcount(it) for it in kept]

    ranges = tuple(("%" + letter, 7) for letter in "abc")
    before = counts()
    for _ in range(100):
        known = compiled.KnownLines()
        known.scan(cut.text, cut.starts, read)
        assert len(known) == 3
        with pytest.raises(TypeError):
            compiled.KnownLines().scan(cut.text, cut.starts, fail)
        del known
        compiled.may_overflow(lines[0], ranges)
        compiled.number([found] * 9)
        compiled.line_starts(cut.text)
    assert counts() == before
