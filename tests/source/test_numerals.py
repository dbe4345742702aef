import pytest

from ptx_ls.source.numerals import decimal


@pytest.mark.parametrize(
    ("digits", "value"),
    [
        ("0", 0),
        ("10", 10),
        ("0" * 5000, 0),
        ("0" * 5000 + "17", 17),
        (str(2**64), 2**64),
    ],
)
def test_value(digits: str, value: int) -> None:
    assert decimal(digits) == value


def test_more_digits_than_python_takes_are_beyond_any_bound() -> None:
    assert decimal("9" * 5000) > 2**1000
