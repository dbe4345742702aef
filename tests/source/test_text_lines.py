"""Lines that are cut out on demand are those of a list."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.source.text_lines import TextLines

lists = st.lists(st.sampled_from(["a\n", "", "\r", "longer\r\n", "é", "\n"]), max_size=9)
bounds = st.integers(-11, 11)


@given(lists, bounds, bounds, st.sampled_from([1, 2, 3, -1, -2]))
def test_lines_of_a_list(lines: list[str], first: int, stop: int, step: int) -> None:
    cut = TextLines.of(lines)
    assert TextLines.of(cut) is cut
    assert cut.text == "".join(lines)
    assert len(cut) == len(lines)
    assert [*cut] == [cut[row] for row in range(len(lines))] == lines
    assert [cut[row - len(lines)] for row in range(len(lines))] == lines
    for row in (len(lines), -len(lines) - 1):
        with pytest.raises(IndexError):
            _ = cut[row]
    assert cut[first:stop] == lines[first:stop]
    assert cut[first:stop:step] == lines[first:stop:step]


@given(lists, st.integers(0, 9), st.integers(0, 9))
def test_parts(lines: list[str], first: int, stop: int) -> None:
    first, stop = sorted((min(first, len(lines)), min(stop, len(lines))))
    cut = TextLines.of(lines)
    for whole in (lines, cut):
        assert [*TextLines.part_of(whole, first, stop)] == lines[first:stop]
    assert TextLines.part_of(cut, first, stop).text is cut.text
    assert cut.joined(first, stop) == "".join(lines[first:stop])
