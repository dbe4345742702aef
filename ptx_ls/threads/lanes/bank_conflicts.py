"""Counts the words of one bank of shared memory that the lanes of a warp access at a time.

Source: CUDA C++ Programming Guide, "Shared Memory". There are 32 banks, and successive words of 4
bytes are in successive banks. Lanes that access the same word share it. A warp accesses at most 128
bytes at a time: the lanes of a half-warp if each has 8 bytes, of a quarter-warp if it has 16.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import LANES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BANKS: Final = 32
_WORD: Final = 4
ROW: Final = BANKS * _WORD
"""The number of bytes after which the banks repeat."""
_WIDTHS: Final = (1, 2, 4, 8, 16)


class BankConflict(NamedTuple):
    """Lanes that access different words of one bank at a time.

    `lanes`: one lane for each of the words, in order. `distance`: how many bytes the words of the
    first two of these lanes are apart.
    """

    lanes: tuple[int, ...]
    distance: int

    @property
    def degree(self) -> int:
        """The number of words, which the bank accesses one after another."""
        return len(self.lanes)


def bank_conflict(addresses: Mapping[int, int], n_bytes: int) -> BankConflict | None:
    """Returns the worst conflict of an access; None if there is none, or none is certain.

    `addresses`: where the `n_bytes` of each lane begin, from a place that is a multiple of them.
    """
    if n_bytes not in _WIDTHS:
        return None
    found = [_worst(addresses, n_bytes, start) for start in range(0, _WORD, min(n_bytes, _WORD))]
    best = min(found, key=lambda each: each.degree)
    return best if best.degree > 1 else None


def _worst(addresses: Mapping[int, int], n_bytes: int, start: int) -> BankConflict:
    """Returns the worst conflict if the addresses count from a place in a word."""
    worst = BankConflict((0,), 0)
    for lanes in _at_a_time(n_bytes):
        words: dict[int, dict[int, int]] = {}
        for lane in lanes:
            if lane in addresses:
                first = (addresses[lane] + start) // _WORD
                for word in range(first, first + max(1, n_bytes // _WORD)):
                    words.setdefault(word % BANKS, {}).setdefault(word, lane)
        for bank in words.values():
            if len(bank) > worst.degree:
                worst = _conflict(bank)
    return worst


def _conflict(bank: Mapping[int, int]) -> BankConflict:
    """Returns the conflict of some words, each with the first lane that accesses it."""
    by_lane = sorted((lane, word) for word, lane in bank.items())
    distance = abs(by_lane[1][1] - by_lane[0][1]) * _WORD if len(by_lane) > 1 else 0
    return BankConflict(tuple(lane for lane, _ in by_lane), distance)


def _at_a_time(n_bytes: int) -> Iterator[range]:
    """Yields the lanes that access memory at a time."""
    size = min(LANES, ROW // n_bytes)
    for first in range(0, LANES, size):
        yield range(first, first + size)


def padded(addresses: Mapping[int, int], row: int, padding: int) -> dict[int, int]:
    """Returns addresses in rows of `row` bytes after `padding` bytes are added to each row."""
    return {lane: each + each // row * padding for lane, each in addresses.items()}
