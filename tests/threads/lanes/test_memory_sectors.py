"""Sectors of global memory that surely hold what a warp accesses."""

from __future__ import annotations

import pytest

from ptx_ls.threads.lanes.memory_sectors import sector_use


def check_sectors(stride: int, n_bytes: int, n_sectors: int, fewest: int) -> None:
    """Checks the sectors of 32 lanes whose addresses are some bytes apart."""
    found = sector_use({(lane * stride, n_bytes) for lane in range(32)}, n_bytes)
    assert tuple(found) == (n_sectors, fewest)


@pytest.mark.parametrize(
    ("stride", "n_bytes", "n_sectors", "fewest"),
    [
        (4, 4, 4, 4), (8, 4, 8, 4), (32, 4, 32, 4), (256, 4, 32, 4), (0, 4, 1, 1),
        (16, 16, 16, 16), (64, 16, 32, 16), (1, 1, 1, 1), (-4, 4, 4, 4), (12, 4, 12, 4),
    ],
)  # fmt: skip
def test_strides(stride: int, n_bytes: int, n_sectors: int, fewest: int) -> None:
    check_sectors(stride, n_bytes, n_sectors, fewest)


def test_nothing_is_wasteful_about_one_lane() -> None:
    assert sector_use({(1000, 4)}, 4).factor == 1


def test_place_in_a_sector_is_unknown() -> None:
    assert sector_use({(0, 4), (28, 4), (32, 4)}, 4).n_sectors == 1 + 1
    assert sector_use({(16, 4), (44, 4)}, 4).n_sectors == 1
