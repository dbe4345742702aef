"""Differences between two answers about semantic tokens."""

from __future__ import annotations

from typing import Final, NamedTuple

_LINES_OF_STEP: Final = 1000


class TokenEdit(NamedTuple):
    """Replaces the numbers [start, start + n_deleted) with those of `rows`."""

    start: int
    n_deleted: int
    rows: list[str]


def difference(old: list[str], new: list[str]) -> TokenEdit | None:
    """Returns the edit that turns old rows into new ones; None if they are equal."""
    n_before = _n_common(old, new)
    if n_before == len(old) == len(new):
        return None
    old_rest, new_rest = old[n_before:], new[n_before:]
    n_after = _n_common(old_rest[::-1], new_rest[::-1])
    old_rest = old_rest[: len(old_rest) - n_after]
    new_rest = new_rest[: len(new_rest) - n_after]
    return TokenEdit(_n_numbers(old[:n_before]), _n_numbers(old_rest), new_rest)


def _n_common(first: list[str], second: list[str]) -> int:
    """Returns the number of equal rows at the start."""
    shorter = min(len(first), len(second))
    start, step = 0, _LINES_OF_STEP
    while step:
        while (
            start + step <= shorter and first[start : start + step] == second[start : start + step]
        ):
            start += step
        step //= 10
    return start


def _n_numbers(rows: list[str]) -> int:
    return ",".join(rows).count(",") + 1 if rows else 0
