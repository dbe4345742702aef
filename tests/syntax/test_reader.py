"""Reading lines: what is remembered never conflates lines that read differently."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.parser import parse
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Kind, Record, Shape
from tests.support.reading import MODES, describe, read_alone, read_together

CORPUS = Path(__file__).parents[1] / "corpus"


def check_reading(text: str) -> list[Record]:
    """Reads all lines at once, which remembers lines, and compares with each read alone."""
    lines = split_lines(text)
    alone = [describe(record) for record in read_alone(lines)]
    for compiled in MODES:
        together = read_together(lines, compiled)
        assert [describe(record) for record in together] == alone
    return together


NUMBERS = ["0", "1", "00", "08", "09", "017", "10", "0x1F", "0xg", "0b1", "0b2", "1.5", "1.", ".5"]
NUMBERS += ["1e5", "1e", "0f3F800000", "0f3F80000", "0d3FF0000000000000", "12ab", "1U", "0U", "9U8"]
NAMES = ["%r1", "%r12", "%r", "a1", "a", "_", "_1", "WARP_SZ", "$L1", "%tid.x", "b.b0", "b.b9"]
NAMES += ["%r1.b0", "%r1.b9", "08a", "\1x", "\0", "9" * 25]
LINES = [
    "add.u32 %r1, {}, {};",
    "@%p{0} bra L{0};",
    "ld.v{0}.u{1} %r1, [%rd1+{0}];",
    "st.u32 [{}], {};",
    "mov.b32 {}, {}; // {}",
    "{}: ret;",
    "L{}:",
    ".reg .b32 %r<{}>;",
    ".reg .b{} a;",
    ".loc {} {} 0",
    ".b8 {},{}",
    ".b32 {}+{}",
    "{{ mov.b32 {}, {}; ret; }}",
    "// {} {}",
    "mma.m{0}n{0}k{1}.row {0}, {1};",
    "add{}.u32 %r1, 1;",
    "call f{}, ({});",
    ".global .b8 a[{}];",
    '.file {} "{}"',
    "@p{}",
    "/* {} */ add.u32 %r1, {}, 2;",
    ".version {}",
    '.pragma "{}";',
    "{}",
    "/* {} */ ld.v{}.u32 a, [b];",
    "/* {} */ .b{} 1",
    "\fadd.u{} a, b, {};",
    "@ p add.u{} a, b, {};",
    "@!{} add.u{} a, b, c;",
    "add/**/.u{} a, b, {};",
    "add .u{} a, b, {};",
    ".reg/**/.b{} a{};",
    ".global .attribute(.managed) .b{} a{};",
    "{}: add.u{} a, b, {};",
    "add.u32\v%r{}, a, {};",
]

line_texts = st.builds(
    lambda line, first, second: line.format(first, second, first),
    st.sampled_from(LINES),
    st.sampled_from([*NUMBERS, *NAMES]),
    st.sampled_from([*NUMBERS, *NAMES]),
)
ends = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])


@pytest.mark.slow
@settings(max_examples=400)
@given(st.lists(st.tuples(line_texts, ends).map("".join), max_size=25).map("".join))
@example("mov.b32 a, 08;\nmov.b32 a, 07;\nmov.b32 a, 10;\n")
@example("ld.v2.u32 a, [b];\nld.v4.u32 a, [b];\nld.v9.u32 a, [b];\n")
@example(".b8 1,2\n.b8 1,08\n.b8 1.5\n")
@example("@%p1 .b16 DONE;\n")
@example("/* 1 */ ld.v2.u32 a, [b];\n/* 1 */ ld.v4.u32 a, [b];\n")
@example("/* 1 */ .b8 1\n/* 1 */ .b9 1\n")
@example("@ p add.u32 a, b, c;\n@ p add.u64 a, b, c;\n")
@example("add/**/.u32 a, b, c;\nadd/**/.u64 a, b, c;\n")
@example(".reg/**/.b32 a;\n.reg/**/.b33 a;\n")
@example(".global .attribute(.managed) .b32 a;\n.global .attribute(.managed) .b33 a;\n")
@example("mov.b32 a, %r1.b0;\nmov.b32 a, %r1.b9;\n")
@example("mov.b32 a, 0x1F;\nmov.b32 a, \1x;\n")
@example("add/**/.u$L1 a, b, 0;\n")
@example("@ a 1 2 3\nret;\n")
@example("{ .reg .u8 a; ret; }\n{ .reg .b128 a; ret; }\n")
def test_lines_of_like_kind(text: str) -> None:
    check_reading(text)


@pytest.mark.parametrize("first", NUMBERS)
def test_numbers_of_another_kind(first: str) -> None:
    check_reading(
        "".join(f"mov.b32 a, {n};\nmov.b32 a, {first};\n" for n in [*NUMBERS, "0x8", "0X8U"])
    )


@settings(max_examples=200)
@given(st.text(alphabet='add.u32 %r10,;:/*"\n\r\t{}[]@x9fF+-(é', max_size=120))
def test_any_lines(text: str) -> None:
    check_reading(text)


@pytest.mark.parametrize(
    "path", sorted(CORPUS.glob("handwritten/*.ptx")), ids=lambda path: str(path.stem)
)
def test_corpus(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    records = check_reading(text)
    for line, record in zip(split_lines(text), records, strict=True):
        if isinstance(record, Shape) and line.strip().endswith(";"):
            assert parse(line.strip()).problem is None


def shape(line: str) -> Shape:
    """The shape of a plain instruction."""
    read = Reader().read_line(line)
    assert isinstance(read, Shape)
    return read


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("add.u32 %r1, %r2, 3;", "\tadd.u32\t%r77, %r0, 0x10; // c"),
        ("@%p1 bra L1;", "@%p22 bra  $L__BB0_7;"),
        ("mov.f32 %f1, 0f3F800000;", "mov.f32 %f2, 0fBF800000;"),
        ("ld.u32 %r1, [%rd1+4];", "ld.u32 %r9, [%rd3+128];"),
        ("call (r), f, (a, b);", "call (x), g, (y, z);"),
        ("mov.f64 %fd1, 1.5;", "mov.f64 %fd1, 2e10;"),
    ],
)
def test_equal_shapes(first: str, second: str) -> None:
    assert shape(first).text == shape(second).text


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("add.u32 %r1, %r2, 3;", "add.u32 %r1, %r2, %r3;"),
        ("add.u32 %r1, %r2, %r3;", "add.u32 %r1, %r2, %f3;"),
        ("add.u32 %r1, %r2, %r3;", "add.s32 %r1, %r2, %r3;"),
        ("add.u32 %r1, %r2, 3;", "add.u32 %r1, %r2, -3;"),
        ("mov.f32 %f1, 0f3F800000;", "mov.f32 %f1, 1065353216;"),
        ("mov.f64 %f1, 0d3FF0000000000000;", "mov.f64 %f1, 0f3F800000;"),
        ("mov.f64 %f1, 1.0;", "mov.f64 %f1, 1;"),
        ("mov.u32 %r1, %tid.x;", "mov.u32 %r1, %tid.y;"),
        ("mov.u32 %r1, a;", "mov.u32 %r1, _;"),
        ("mov.u32 %r1, a;", "mov.u32 %r1, WARP_SZ;"),
        ("@%p1 bra L;", "@!%p1 bra L;"),
        ("@%p1 bra L;", "bra L;"),
        ("ld.v2.u32 {a, b}, [c];", "ld.v4.u32 {a, b}, [c];"),
    ],
)
def test_different_shapes(first: str, second: str) -> None:
    assert shape(first).text != shape(second).text


def test_one_shape_for_equal_lines() -> None:
    reader = Reader()
    records = reader.read_all([f"add.u32 %r{n}, %r{n + 1}, {n};\n" for n in range(2000)])
    assert len({id(record) for record in records}) == 1
    assert records[0].kind is Kind.INSTRUCTION


def test_the_representative_is_a_statement_of_its_shape() -> None:
    read = shape("@!%p1 ld.global.v2.u32 {%r1, _}, [%rd5+-8]; // c")
    assert parse(read.text).problem is None
    assert shape(read.text).text == read.text
    assert [operand.text for operand in read.operands] == ["{%r0, _}", "[%rd0+-0]"]


@pytest.mark.parametrize("word", [".maxntid", ".maxnreg", ".noreturn"])
@pytest.mark.parametrize("after", [" ", " /* */ "])
def test_a_directive_within_an_instruction_is_an_error(word: str, after: str) -> None:
    record = Reader().read_line(f"ld.global.f32 {word}{after}[%rd4];\n")
    assert record is not None
    (problem,) = record.problems
    assert problem.found == word


def test_lines_far_beyond_the_end_of_a_comment_are_not_looked_at() -> None:
    n_seen = 0

    class Lines(list[str]):
        def __getitem__(self, index: Any) -> Any:  # noqa: ANN401
            nonlocal n_seen
            found = super().__getitem__(index)
            n_seen += len(found) if isinstance(index, slice) else 1
            return found

    counts = []
    for n in (500, 2_000):
        n_seen, row = 0, 0
        lines = Lines(["/*\n", "*/\n"] * n)
        while row < len(lines):
            _, row = Reader().read(lines, row)
        counts.append(n_seen)
    assert counts[1] <= 5 * counts[0]
