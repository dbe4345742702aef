import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.syntax.literals import integer, is_out_of_range, number
from ptx_ls.syntax.tokens import NUMBER, tokenize
from tests.support.assembling import require_ptxas


def check_range(number: str, *, is_out: bool) -> None:
    assert is_out_of_range(number) is is_out


@pytest.mark.parametrize(
    "number",
    [
        "99999999999999999999",
        "99999999999999999999U",
        "0x80000000000000000",
        "010000000000000000000000",
        "0b1" + "0" * 64,
        "1e309",
        "1e-310",
        "1.7976931348623159e308",
    ],
)
def test_refused(number: str) -> None:
    check_range(number, is_out=True)


@pytest.mark.parametrize(
    "number",
    [
        "18446744073709551616",
        "90000000000000000000",
        "184467440737095516160",
        "0x1ffffffffffffffff",
        "0x000000000000000000001",
        "07777777777777777777777",
        "0b" + "1" * 64,
        "1e39",
        "0e-999",
        "0.0",
        "0f7F800000",
        "0d7FF0000000000000",
    ],
)
def test_taken(number: str) -> None:
    check_range(number, is_out=False)


@given(st.integers(0, 1 << 64), st.sampled_from(("", "#x", "#b", "#o")))
def test_what_fits_is_taken(value: int, base: str) -> None:
    check_range(format(value % (1 << 64), base).replace("0o", "0"), is_out=False)


@given(st.lists(st.integers(0, 10**23), min_size=1, max_size=6))
def test_lines_are_told_apart_by_their_digits(values: list[int]) -> None:
    document = Document.read("".join(f"mov.u64 %rd1, {value};\n" for value in values))
    for value, read in zip(values, document.records, strict=False):
        assert bool(read.problems) is is_out_of_range(str(value))


def check_value(text: str, value: int | None) -> None:
    """Checks the value of an integer literal."""
    assert integer(text) == value
    assert number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("00", 0),
        ("031", 25),
        ("0x1F", 31),
        ("0XfU", 15),
        ("0b101U", 5),
        ("17U", 17),
        ("18446744073709551619", 3),
        ("0x10000000000000011", 17),
        ("02000000000000000000021", 17),
    ],
)
def test_integers(text: str, value: int) -> None:
    check_value(text, value)


@pytest.mark.parametrize(
    "text",
    ["", "U", "08", "1_0", "0o17", "0x", "0b2", "1u", "1UU", " 1", "+1", "٣", "9" * 6000, "1.5"],
)
def test_what_is_not_an_integer(text: str) -> None:
    assert integer(text) is None


@given(st.text("0123456789abcdefxXbBUuoO_.+- ", max_size=30))
def test_integers_are_the_tokens_that_ptxas_reads(text: str) -> None:
    first, *others = tokenize(text)
    is_token = first.type is NUMBER and first.string == text and len(others) == 1
    assert (integer(text) is not None) == is_token


@given(
    st.integers(0, (1 << 64) - 1),
    st.sampled_from([("", "d"), ("0x", "x"), ("0X", "X"), ("0b", "b"), ("0", "o")]),
    st.integers(0, 30).map("0".__mul__),
    st.sampled_from(["", "U"]),
)
def test_every_spelling_of_an_integer(
    value: int, spelling: tuple[str, str], zeros: str, suffix: str
) -> None:
    head, base = spelling
    text = head + zeros * bool(head) + format(value, base) + suffix
    check_value(text, value)


@given(st.lists(st.sampled_from("+- "), max_size=5), st.integers(0, 99))
def test_signs_before_a_number(signs: list[str], value: int) -> None:
    sign = -1 if signs.count("-") % 2 else 1
    assert number("".join(signs) + str(value)) == sign * value


@given(st.text(max_size=12))
def test_no_text_raises(text: str) -> None:
    integer(text)
    number(text)


SPELLINGS = (
    "12 014 0xC 0XcU 0b1100 12U 18446744073709551628 08 1_2 12u 0o14 0x1000000000000000C "
    "99999999999999999999 00014U"
).split()


@pytest.mark.ptxas
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_ptxas_reads_the_same_integers(spelling: str, tmp_path: Path) -> None:
    """An array may be declared twice only with the same size."""
    program = require_ptxas()
    value = integer(spelling)
    text = ".version 8.5\n.target sm_90\n.address_size 64\n.extern .global .b8 a[{}];\n"
    for size, is_right in (value, value is not None), (13, False):
        file = tmp_path / f"{size}.ptx"
        file.write_text(text.format(spelling) + f".visible .global .b8 a[{size or 1}];\n")
        command = [str(program), "-arch=sm_90", "-c", "-o", str(file.with_suffix(".o")), str(file)]
        done = subprocess.run(command, capture_output=True, check=False)
        assert (done.returncode == 0) == is_right, done.stderr
