"""Threads whose accesses touch the same bytes are found, whether they are few or many."""

from __future__ import annotations

import pytest

from ptx_ls.threads.happens_before.overlaps import ThreadBytes, ThreadPair, common_bytes

KILOBYTES = 32 << 10
ROW = {thread: 4 * thread for thread in range(64)}
"""Where each thread accesses a word of its own."""


def check_overlap(
    first: dict[int, int],
    n_first: int,
    second: dict[int, int],
    n_second: int,
    expected: tuple[ThreadPair, int] | None,
    *,
    in_warp: bool = False,
) -> None:
    """Checks the threads of two accesses with common bytes, and where these begin."""
    one, other = ThreadBytes(first, n_first), ThreadBytes(second, n_second)
    assert common_bytes(one, other, in_warp=in_warp) == expected


@pytest.mark.parametrize(
    ("start", "expected"),
    [(KILOBYTES - 16, ((0, 32), KILOBYTES - 16)), (KILOBYTES, None), (0, ((0, 32), 0))],
)
def test_of_one_thread_with_many_bytes(start: int, expected: tuple[ThreadPair, int] | None) -> None:
    """A copy by one thread overlaps an access of another one only within its bytes."""
    check_overlap({0: 0}, KILOBYTES, {32: start}, 16, expected)


def test_of_one_thread_with_a_row() -> None:
    """A copy by one thread overlaps the first word of another warp."""
    check_overlap({0: 0}, KILOBYTES, ROW, 4, ((0, 32), 128))
    check_overlap(ROW, 4, {0: 0}, KILOBYTES, ((32, 0), 128))


def test_of_one_warp() -> None:
    """Threads of one warp count only if that is asked for."""
    check_overlap({0: 0}, KILOBYTES, {1: 64}, 4, None)
    check_overlap({0: 0}, KILOBYTES, {1: 64}, 4, ((0, 1), 64), in_warp=True)


def test_of_two_rows() -> None:
    """Of two rows of words, one shifted by a warp, each word has two threads."""
    shifted = {thread: start + 128 for thread, start in ROW.items()}
    check_overlap(ROW, 4, ROW, 4, None)
    check_overlap(shifted, 4, ROW, 4, ((0, 32), 128))
