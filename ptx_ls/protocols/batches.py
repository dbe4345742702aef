"""Sites that come one after another, whose states are therefore followed together."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def first_of_batch(
    numbers: Iterable[int], is_together: Callable[[int, int], bool]
) -> dict[int, int]:
    """Maps the numbers of sites to the first one of those that come directly before them.

    `numbers` are in order. `is_together`: whether a site belongs to the batch of an earlier one.
    """
    found: dict[int, int] = {}
    for number in numbers:
        first = found.get(number - 1, number)
        found[number] = first if is_together(first, number) else number
    return found
