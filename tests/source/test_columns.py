import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.source.columns import ColumnUnit, from_units, to_units

# One, two, three and four bytes in UTF-8; the last takes two units in UTF-16.
MIXED = "aé€\U0001f600"
LINES = st.text(alphabet=f"{MIXED}z\ud800\udc00", max_size=12)
UNITS = st.sampled_from(ColumnUnit)


def check_columns(line: str, unit: ColumnUnit, units_of_columns: list[int]) -> None:
    """Checks both directions for every column of a line."""
    for column, units in enumerate(units_of_columns):
        assert to_units(line, column, unit) == units
        assert from_units(line, units, unit) == column


def check_from(line: str, unit: ColumnUnit, columns_of_units: list[int]) -> None:
    columns = [from_units(line, units, unit) for units in range(len(columns_of_units))]
    assert columns == columns_of_units


def code_unit_length(text: str, unit: ColumnUnit) -> int:
    size = {ColumnUnit.UTF_8: 1, ColumnUnit.UTF_16: 2, ColumnUnit.UTF_32: 4}[unit]
    codec = "utf-8" if size == 1 else f"{unit.value}-le"
    return len(text.encode(codec, "surrogatepass")) // size


@pytest.mark.parametrize("unit", ColumnUnit)
def test_ascii_columns_are_the_same_in_every_unit(unit: ColumnUnit) -> None:
    check_columns("ret;\n", unit, [0, 1, 2, 3, 4])


def test_columns_of_wider_characters() -> None:
    check_columns(MIXED, ColumnUnit.UTF_8, [0, 1, 3, 6, 10])
    check_columns(MIXED, ColumnUnit.UTF_16, [0, 1, 2, 3, 5])
    check_columns(MIXED, ColumnUnit.UTF_32, [0, 1, 2, 3, 4])


def test_inside_a_character_is_its_start() -> None:
    check_from(MIXED, ColumnUnit.UTF_8, [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4])
    check_from(MIXED, ColumnUnit.UTF_16, [0, 1, 2, 3, 3, 4])


def test_several_characters_outside_the_basic_plane() -> None:
    check_columns("\U0001f600a\U0001f600\U0001f600", ColumnUnit.UTF_16, [0, 2, 3, 5, 7])


@pytest.mark.parametrize("unit", ColumnUnit)
@pytest.mark.parametrize("terminator", ["", "\n", "\r", "\r\n"])
@pytest.mark.parametrize("content", ["ret;", MIXED, ""])
def test_beyond_the_line_is_its_end(content: str, terminator: str, unit: ColumnUnit) -> None:
    line = content + terminator
    end = code_unit_length(content, unit)
    for beyond in range(4):
        assert to_units(line, len(content) + beyond, unit) == end
        assert from_units(line, end + beyond, unit) == len(content)
    assert to_units(line, -1, unit) == 0
    assert from_units(line, -1, unit) == 0


@given(LINES, UNITS)
def test_every_column_comes_back(line: str, unit: ColumnUnit) -> None:
    check_columns(line, unit, [code_unit_length(line[:i], unit) for i in range(len(line) + 1)])


@given(LINES, UNITS, st.integers(0, 50))
def test_units_are_rounded_down(line: str, unit: ColumnUnit, place: int) -> None:
    column = from_units(line, place, unit)
    assert to_units(line, column, unit) <= place
    assert column == len(line) or to_units(line, column + 1, unit) > place
