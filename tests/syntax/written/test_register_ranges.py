from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.syntax.written import register_ranges
from ptx_ls.syntax.written.register_ranges import line_exceeds, may_exceed
from tests.support.reading import MODES, require_built

Ranges = tuple[tuple[str, int], ...]


def check_exceeds(lines: list[str], ranges: dict[str, int]) -> None:
    """A search line by line finds the same as a search in the whole text."""
    is_there = any(line_exceeds(line, ranges) for line in lines)
    for compiled in MODES:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(register_ranges, "compiled", compiled)
            assert may_exceed("\n".join(lines), ranges) or not is_there


counts = st.integers(-2, 130) | st.sampled_from([999, 1000, 10**18, 2**63, 2**64 - 1, 2**64])
prefixes = st.sampled_from(["%r", "%rd", "%p", "%_", "%$a", "%R", "%r_"])
numbers = st.integers(0, 140).map(str) | st.sampled_from(
    ["00", "09", "010", "0" * 30 + "7", "1" * 18, "9" * 19, str(2**64), "5" * 40, "9" * 5000, ""]
)
ends = st.sampled_from(["", " ", ";", ",", ".x", "_", "a", "$", "%", "é", "\ud800", "\0", "\r\n"])
starts = st.sampled_from(["", "%", "é", "a", " ", "{", "r1", "[%", "\0"])
registers = st.tuples(starts, prefixes, numbers, ends).map("".join)
lines_of_registers = st.lists(st.lists(registers, max_size=4).map("".join), max_size=6)


@pytest.mark.slow
@settings(max_examples=500)
@given(lines_of_registers, st.dictionaries(prefixes, counts, min_size=1, max_size=4))
@example(["mov.u32 %r10, %r9;"], {"%r": 10})
@example(["%r" + "9" * 5000], {"%r": 10})
@example(["%r" + "0" * 5000 + "9"], {"%r": 10})
@example(["%é1%r7\ud800"], {"%r": 7})
def test_no_register_after_its_range_is_missed(lines: list[str], ranges: dict[str, int]) -> None:
    check_exceeds(lines, ranges)


@pytest.mark.parametrize("compiled", MODES, ids=lambda mode: "C" if mode else "Python")
@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("%r10", True),
        ("%r9", False),
        ("%r0000000000000000000000000000010", True),
        ("%r0000000000000000000000000000009", False),
        ("%r" + "8" * 6000, True),
        ("%r10a", False),
        ("%r10_", False),
        ("%r10$", False),
        ("%r10.x", True),
        ("%rd10", False),
        ("r10", False),
        ("%10", False),
        ("%%r10", True),
    ],
)
def test_borders(
    compiled: Any,  # noqa: ANN401
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_found: bool,
) -> None:
    monkeypatch.setattr(register_ranges, "compiled", compiled)
    for copies in (1, 20_000 // len(line) + 2):
        assert may_exceed((line + "\n") * copies, {"%r": 10}) is is_found


@pytest.mark.parametrize(
    "ranges",
    [(("%r", -1),), (("%r", 2**64),), (("%\ud800", 1),), tuple((f"%{n}", 9) for n in range(257))],
)
def test_what_c_cannot_judge_is_left_to_the_exact_search(ranges: Ranges) -> None:
    assert require_built().may_overflow("mov.b32 a, b;", ranges) is True


def test_no_half_of_a_surrogate_is_judged_in_c() -> None:
    assert require_built().may_overflow("\ud800", (("%r", 5),)) is True


@pytest.mark.parametrize(
    "ranges", [("%r",), (("%r", "1"),), (("%r",),), ((b"%r", 1),), [("%r", 1)]]
)
def test_wrong_ranges_are_an_error(ranges: Any) -> None:  # noqa: ANN401
    with pytest.raises((TypeError, SystemError)):
        require_built().may_overflow("", ranges)
