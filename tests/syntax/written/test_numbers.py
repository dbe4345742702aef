"""Numbers in pragmas, as ptxas 13.5 reads them in `frequency`."""

import pytest

from ptx_ls.syntax.written.numbers import pragma_number


def check_number(text: str, value: int | None) -> None:
    assert pragma_number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("1000", 1000), ("010", 8), ("0x10", 16), ("+5", 5), ("-5", -5), (" 7", 7), ("0", 0)],
)
def test_numbers(text: str, value: int) -> None:
    check_number(text, value)


@pytest.mark.parametrize("text", ["", "12ab", "09", "0x", "++5", "7 ", "5U", "0b1", "1.5", "x"])
def test_other_texts(text: str) -> None:
    check_number(text, None)


def test_more_digits_than_python_reads() -> None:
    assert (pragma_number("9" * 5000) or 0) > 1 << 64
