"""Bank conflicts: the degree, compared with a count of steps that follows the hardware's words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ptx_ls.threads.lanes.bank_conflicts import bank_conflict, padded

Address = Callable[[int], int]


def check_degree(address: Address, n_bytes: int, degree: int) -> None:
    """Checks how many steps 32 lanes need at most for an access at a time."""
    found = bank_conflict({lane: address(lane) for lane in range(32)}, n_bytes)
    assert (1 if found is None else found.degree) == degree


@pytest.mark.parametrize(
    ("stride", "n_bytes", "degree"),
    [
        (4, 4, 1), (8, 4, 2), (12, 4, 1), (16, 4, 4), (64, 4, 16), (128, 4, 32), (132, 4, 1),
        (8, 8, 1), (16, 8, 2), (24, 8, 1), (128, 8, 16), (136, 8, 1),
        (16, 16, 1), (32, 16, 2), (48, 16, 1), (64, 16, 4), (80, 16, 1), (128, 16, 8), (144, 16, 1),
        (2, 2, 1), (1, 1, 1), (4, 2, 1), (8, 2, 2),
    ],
)  # fmt: skip
def test_strides(stride: int, n_bytes: int, degree: int) -> None:
    check_degree(lambda lane: lane * stride, n_bytes, degree)


def test_same_word_is_shared() -> None:
    check_degree(lambda _: 64, 4, 1)
    check_degree(lambda lane: lane // 4 * 4, 4, 1)


def test_two_rows_of_a_column() -> None:
    check_degree(lambda lane: lane % 2 * 128, 4, 2)


def test_swizzled_rows() -> None:
    check_degree(lambda lane: lane * 128 + (lane % 8 ^ 3) * 16, 16, 1)
    check_degree(lambda lane: lane * 128 + (lane % 8 ^ 3) // 2 * 16, 16, 2)


def test_place_in_a_word_is_unknown() -> None:
    check_degree(lambda lane: lane * 2 + 2, 2, 1)


def test_conflict_of_half_warps_does_not_count() -> None:
    check_degree(lambda lane: lane % 16 * 8 + lane // 16 * 128, 8, 1)


def test_lanes_and_distance() -> None:
    found = bank_conflict({lane: lane * 16 for lane in range(32)}, 4)
    assert found is not None
    assert (found.lanes, found.distance) == ((0, 8, 16, 24), 128)


def test_absent_lanes() -> None:
    assert bank_conflict({0: 0, 1: 4}, 4) is None
    assert bank_conflict({3: 0, 9: 128}, 4) is not None


def test_unusual_size() -> None:
    assert bank_conflict({lane: lane * 128 for lane in range(32)}, 12) is None


def test_padding() -> None:
    assert padded({0: 0, 1: 128, 2: 260}, 128, 4) == {0: 0, 1: 132, 2: 268}
