import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.syntax.document import Document
from ptx_ls.syntax.literals import is_out_of_range


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
    document = Document("".join(f"mov.u64 %rd1, {value};\n" for value in values))
    for value, read in zip(values, document.records, strict=False):
        assert bool(read.problems) is is_out_of_range(str(value))
