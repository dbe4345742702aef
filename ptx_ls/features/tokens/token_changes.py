"""Differences between two answers about the tokens of a document.

An answer keeps the rows of all functions, and of chunks of long functions, that an edit did not
touch, so only the others are compared row by row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.tokens.token_rows import PlacedRows, rows_of
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LINES_OF_STEP: Final = 1000


class TokenEdit(NamedTuple):
    """Replaces the numbers [start, start + n_deleted) with those of `rows`."""

    start: int
    n_deleted: int
    rows: list[str]


def difference(old: Sequence[PlacedRows], new: Sequence[PlacedRows]) -> TokenEdit | None:
    """Returns the edit that turns old tokens into new ones; None if they are equal."""
    n_before = _n_same(old, new)
    old, new, before = old[n_before:], new[n_before:], old[:n_before]
    n_after = _n_same(reversed(old), reversed(new))
    old_rows = rows_of(old[: len(old) - n_after])
    new_rows = rows_of(new[: len(new) - n_after])
    n_equal = _n_common(old_rows, new_rows)
    if n_equal == len(old_rows) == len(new_rows):
        return None
    start = sum(lines.n_numbers for _, lines in before) + _n_numbers(old_rows[:n_equal])
    del old_rows[:n_equal], new_rows[:n_equal]
    n_equal = _n_common(old_rows[::-1], new_rows[::-1])
    n_deleted = _n_numbers(old_rows[: len(old_rows) - n_equal])
    return TokenEdit(start, n_deleted, new_rows[: len(new_rows) - n_equal])


def _n_same(first: Iterable[PlacedRows], second: Iterable[PlacedRows]) -> int:
    """Returns the number of parts at the start that are the same and have the same gap."""
    number = 0
    for one, other in zip(first, second, strict=False):
        if one.lines is not other.lines or one.gap != other.gap:
            break
        number += 1
    return number


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
