"""How lists and plurals are worded."""

import pytest

from ptx_ls.source.english import counted, either, inflected, listed


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ("", ""),
        ("a", "a"),
        ("ab", "a or b"),
        ("abc", "a, b or c"),
        ("abcdefg", "a, b, c, d, e, f …"),
    ],
)
def test_alternatives(parts: str, expected: str) -> None:
    assert either([*parts]) == expected


def test_lists() -> None:
    assert listed([]) == ""
    assert listed(iter("abc"), "and") == "a, b and c"


def test_plurals() -> None:
    assert [counted(number, "byte") for number in (0, 1, 2048)] == [
        "0 bytes",
        "1 byte",
        "2,048 bytes",
    ]
    assert counted(2, "copy", "copies") == "2 copies"
    assert inflected("occurs", 1, "occur") == "occurs"
